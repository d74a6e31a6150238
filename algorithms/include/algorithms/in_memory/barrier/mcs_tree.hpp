// SPDX-License-Identifier: Apache-2.0
// barrier/mcs_tree
//
// Idea: a tree of fan-in 4 gathers, another one of fan-out 2 releases. Every thread is a node, waits only for
// words of its own and is written to by known threads, so each word is polled by one.
//
// n = 7:
//
//     gather    1,2,3,4 -> 0     5,6 -> 1          release   0 -> 1,2     1 -> 3,4     2 -> 5,6
//
// Cost: ceil(log_4 n) levels of up to four stores to one line, then ceil(log_2 n) of two stores each; n - 1
// stores up and n - 1 down.
//
// Restrictions: none.
//
// Words: for each thread a line with four words for its children and a line with the word that releases it,
// near the thread. They hold the number of the barrier episode.
//
// Source: Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors
// (1991), algorithm 11; there with booleans and senses.
#pragma once

#include <algorithm>

#include "algorithms/memory/concept.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class McsTree {
 public:
  using Thread = typename M::Thread;
  using Word = typename M::Word;
  static constexpr int fan_in = 4, fan_out = 2;

  explicit McsTree(M& memory) : own_(static_cast<std::size_t>(memory.threads())) {
    for (int thread = 0; thread < memory.threads(); ++thread) {
      children_.push_back(memory.words(fan_in, sizeof(std::uint64_t), thread));
      release_.push_back(memory.words(1, memory::line, thread)[0]);
    }
  }

  /// Returns when all threads of the memory have called as often as the caller.
  void operator()(Thread& thread) {
    const int self = thread.thread(), all = thread.threads();
    const std::uint64_t episode = ++own_[static_cast<std::size_t>(self)].value;
    const auto arrived = [episode](std::uint64_t value) { return memory::reached(value, episode); };
    const auto at = static_cast<std::size_t>(self);
    const int children = std::clamp(all - (fan_in * self + 1), 0, fan_in);
    thread.wait_all(std::span<const Word>(children_[at]).first(static_cast<std::size_t>(children)), arrived,
                    std::memory_order_acquire);
    if (self > 0) {
      const int parent = (self - 1) / fan_in, place = (self - 1) % fan_in;
      thread.store(children_[static_cast<std::size_t>(parent)][static_cast<std::size_t>(place)], episode,
                   std::memory_order_release);
      thread.wait(release_[at], arrived, std::memory_order_acquire);
    }
    for (int child = fan_out * self + 1; child <= std::min(fan_out * self + fan_out, all - 1); ++child)
      thread.store(release_[static_cast<std::size_t>(child)], episode, std::memory_order_release);
  }

 private:
  std::vector<std::vector<Word>> children_;
  std::vector<Word> release_;
  std::vector<memory::PerThread<std::uint64_t>> own_; ///< episodes
};

} // namespace algorithms::in_memory
