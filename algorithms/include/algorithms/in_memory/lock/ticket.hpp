// SPDX-License-Identifier: Apache-2.0
// lock/ticket
//
// Idea: who comes draws a number and waits until it is served; who leaves serves the next.
//
// Cost: one atomic addition to enter, one to leave; every waiting thread reads the served number after each
// release.
//
// Restrictions: none. Any thread may release it for the holder: it is a fair binary semaphore, too.
//
// Words: two, on lines of their own, near the thread that is named.
//
// Source: Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors
// (1991), algorithm 2.
#pragma once

#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class TicketLock {
 public:
  using Thread = typename M::Thread;

  explicit TicketLock(M& memory, int near = 0) : words_(memory.words(2, memory::line, near)) {}

  void acquire(Thread& thread) {
    const std::uint64_t number = thread.fetch_add(words_[0], 1, std::memory_order_relaxed);
    thread.wait(
        words_[1], [number](std::uint64_t served) { return served == number; }, std::memory_order_acquire);
  }
  void release(Thread& thread) { thread.fetch_add(words_[1], 1, std::memory_order_release); }

 private:
  std::vector<typename M::Word> words_; ///< next number, served number
};

} // namespace algorithms::in_memory
