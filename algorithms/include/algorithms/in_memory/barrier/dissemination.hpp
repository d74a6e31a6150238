// SPDX-License-Identifier: Apache-2.0
// barrier/dissemination
//
// Idea: in each round everybody notifies m others at growing distances and waits for m; after round s a
// thread knows of (m+1)^(s+1) threads. Nobody gathers, nobody releases.
//
// n = 5, m = 1:
//
//     round 0   0->1  1->2  2->3  3->4  4->0
//     round 1   0->2  1->3  2->4  3->0  4->1
//     round 2   0->4  1->0  2->1  3->2  4->3
//
// Cost: ceil(log_(m+1) n) rounds, in each m stores to others' lines and the reading of a line of one's own
// after each of m stores to it; all threads at once.
//
// Restrictions: m >= 1.
//
// Words: a flag for each thread, round and partner, those of a thread's round on a line of its own, near the
// thread. A flag holds the number of the barrier episode, and whoever waits takes any number from its own on,
// so nothing is reset and a partner may be ahead.
//
// Source: Hensgen, Finkel, Manber: Two Algorithms for Barrier Synchronization (1988); m > 1: Ramos, Hoefler:
// Modeling Communication in Cache-Coherent SMP Systems (2013), section 5.
#pragma once

#include "algorithms/memory/concept.hpp"
#include "algorithms/shapes/dissemination.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class Dissemination {
 public:
  using Thread = typename M::Thread;
  using Word = typename M::Word;

  /// `partners` is m.
  explicit Dissemination(M& memory, int partners = 1)
      : shape_(memory.threads(), partners), own_(static_cast<std::size_t>(memory.threads())) {
    for (int thread = 0; thread < memory.threads(); ++thread)
      for (int round = 0; round < shape_.rounds(); ++round)
        flags_.push_back(memory.words(static_cast<std::size_t>(partners), sizeof(std::uint64_t), thread));
  }

  /// Returns when all threads of the memory have called as often as the caller.
  void operator()(Thread& thread) {
    const int self = thread.thread();
    const std::uint64_t episode = ++own_[static_cast<std::size_t>(self)].value;
    for (int round = 0; round < shape_.rounds(); ++round) {
      std::size_t partners = 0;
      for (int index = 0; index < shape_.partners(); ++index) {
        const int distance = shape_.distance(round, index);
        if (distance == 0) break;
        thread.store(flags(shape_.notifies(self, distance), round)[static_cast<std::size_t>(index)], episode,
                     std::memory_order_release);
        ++partners;
      }
      thread.wait_all(
          std::span<const Word>(flags(self, round)).first(partners),
          [episode](std::uint64_t value) { return memory::reached(value, episode); },
          std::memory_order_acquire);
    }
  }

 private:
  [[nodiscard]] const std::vector<Word>& flags(int thread, int round) const {
    return flags_[static_cast<std::size_t>(thread * shape_.rounds() + round)];
  }

  dissemination::Shape shape_;
  std::vector<std::vector<Word>> flags_;
  std::vector<memory::PerThread<std::uint64_t>> own_; ///< episodes
};

} // namespace algorithms::in_memory
