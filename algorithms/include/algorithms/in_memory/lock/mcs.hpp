// SPDX-License-Identifier: Apache-2.0
// lock/mcs
//
// Idea: a list of those who wait. Who comes puts itself at the end and waits for a word of its own; who
// leaves writes the word of the next.
//
// Cost: an exchange of the tail, a store to the predecessor's node and one to the successor's, whatever the
// number of threads.
//
// Restrictions: fair. Only the holder may release it.
//
// Words: the tail, near the thread that is named; for each thread a line with two words, near it.
//
// Source: Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors
// (1991), algorithm 5.
#pragma once

#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class McsLock {
 public:
  using Thread = typename M::Thread;
  using Word = typename M::Word;

  explicit McsLock(M& memory, int near = 0) : tail_(memory.words(1, memory::line, near)[0]) {
    for (int thread = 0; thread < memory.threads(); ++thread)
      nodes_.push_back(memory.words(2, sizeof(std::uint64_t), thread));
  }

  void acquire(Thread& thread) {
    const auto& [self, own] = node_of(thread);
    thread.store(own[next], nobody, std::memory_order_relaxed);
    const std::uint64_t before = thread.exchange(tail_, self, std::memory_order_acq_rel);
    if (before == nobody) return;
    thread.store(own[waits], 1, std::memory_order_relaxed);
    thread.store(nodes_[before - 1][next], self, std::memory_order_release);
    thread.wait(
        own[waits], [](std::uint64_t value) { return value == 0; }, std::memory_order_acquire);
  }
  void release(Thread& thread) {
    const auto& [self, own] = node_of(thread);
    std::uint64_t after = thread.load(own[next], std::memory_order_acquire);
    if (after == nobody) {
      std::uint64_t expected = self;
      if (thread.compare_exchange(tail_, expected, nobody, std::memory_order_acq_rel)) return;
      after = thread.wait(
          own[next], [](std::uint64_t value) { return value != nobody; }, std::memory_order_acquire);
    }
    thread.store(nodes_[after - 1][waits], 0, std::memory_order_release);
  }

 private:
  enum Which : std::size_t { next, waits };
  static constexpr std::uint64_t nobody = 0; ///< thread t is t + 1
  struct Node {
    std::uint64_t self;
    const std::vector<Word>& words;
  };
  [[nodiscard]] Node node_of(Thread& thread) const {
    const auto self = static_cast<std::size_t>(thread.thread());
    return {self + 1, nodes_[self]};
  }

  Word tail_;
  std::vector<std::vector<Word>> nodes_; ///< by thread
};

} // namespace algorithms::in_memory
