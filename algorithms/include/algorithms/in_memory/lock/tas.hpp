// SPDX-License-Identifier: Apache-2.0
// lock/tas
//
// Idea: everybody exchanges 1 into the word until it was 0.
//
// Cost: the line goes round among all who wait, and whoever releases the lock queues with them.
//
// Restrictions: not fair.
//
// Words: one, near the thread that is named.
//
// Source: folklore; measured by David, Guerraoui, Trigonakis: Everything You Always Wanted to Know about
// Synchronization but Were Afraid to Ask (2013), section 5.
#pragma once

#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class TasLock {
 public:
  using Thread = typename M::Thread;

  explicit TasLock(M& memory, int near = 0) : word_(memory.words(1, memory::line, near)[0]) {}

  void acquire(Thread& thread) { thread.spin_exchange(word_, 1); }
  void release(Thread& thread) { thread.store(word_, 0, std::memory_order_release); }

 private:
  typename M::Word word_;
};

} // namespace algorithms::in_memory
