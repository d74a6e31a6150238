// SPDX-License-Identifier: Apache-2.0
// lock/clh
//
// Idea: a list of those who wait, in which everybody waits for the word of the one before it, whose place it
// takes over afterwards.
//
// Cost: an exchange of the tail and two stores to a word that one other polls, whatever the number of
// threads.
//
// Restrictions: fair. Only the holder may release it.
//
// Words: the tail, near the thread that is named; n + 1 places, each on a line of its own, that change hands.
//
// Source: Craig: Building FIFO and Priority-Queuing Spin Locks from Atomic Swap (1993); Magnusson, Landin,
// Hagersten: Queue Locks on Cache Coherent Multiprocessors (1994).
#pragma once

#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class ClhLock {
 public:
  using Thread = typename M::Thread;

  explicit ClhLock(M& memory, int near = 0)
      : tail_(memory.words(1, memory::line, near)[0]), own_(static_cast<std::size_t>(memory.threads())) {
    for (int place = 0; place <= memory.threads(); ++place)
      held_.push_back(memory.words(1, memory::line, std::max(0, place - 1))[0]);
    // Place 0 is nobody's and free: the first to come finds it.
    for (std::size_t thread = 0; thread < own_.size(); ++thread) own_[thread].value.mine = thread + 1;
  }

  void acquire(Thread& thread) {
    State& own = own_[static_cast<std::size_t>(thread.thread())].value;
    thread.store(held_[own.mine], 1, std::memory_order_relaxed);
    own.before = thread.exchange(tail_, own.mine, std::memory_order_acq_rel);
    thread.wait(
        held_[own.before], [](std::uint64_t value) { return value == 0; }, std::memory_order_acquire);
  }
  void release(Thread& thread) {
    State& own = own_[static_cast<std::size_t>(thread.thread())].value;
    thread.store(held_[own.mine], 0, std::memory_order_release);
    own.mine = own.before;
  }

 private:
  struct State {
    std::size_t mine = 0, before = 0; ///< places
  };

  typename M::Word tail_; ///< place of the last to come
  std::vector<typename M::Word> held_;
  std::vector<memory::PerThread<State>> own_;
};

} // namespace algorithms::in_memory
