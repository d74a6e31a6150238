// SPDX-License-Identifier: Apache-2.0
// Two threads combine their accumulators, half of the elements each: what reduce/pair_tree and
// reduce/dynamic_pair do with a pair once it has been found, and where the merged elements go.
//
// The leader names itself in the follower's notice; both work; neither goes on before the other has told that
// its half is done: the leader would read the other half too early, the follower's accumulator is still being
// read.
//
// Words: three for each thread as a follower, on lines of their own, near it: begin, with the notice on its
// line, and the leader's half, written by the leader, and the follower's half. They hold the number of the
// operation, compared by "has reached": a follower may be in the next operation when its old leader looks.
#pragma once

#include "algorithms/in_memory/reduce/reduction.hpp"
#include "algorithms/memory/mailbox.hpp"

namespace algorithms::in_memory {

/// The target of all merges but the last: a block of the leader's own, or its accumulator.
template <memory::Memory M>
class Accumulation {
 public:
  using Block = typename M::Block;

  /// `bytes` is the longest block; threads lead whose number `leaders` divides.
  Accumulation(M& memory, std::size_t bytes, const ReduceOptions& options, int leaders = 1) {
    for (int thread = 0; thread < memory.threads() && !options.in_place; ++thread)
      blocks_.push_back(memory.block(thread % leaders == 0 ? bytes : 0, thread));
  }
  [[nodiscard]] Block target(const typename M::Thread& leader, Block mine) const {
    return blocks_.empty() ? mine : blocks_[static_cast<std::size_t>(leader.thread())].part(0, mine.bytes);
  }

 private:
  std::vector<Block> blocks_; ///< by thread
};

template <memory::Memory M>
class PairMerge {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  PairMerge(M& memory, Operation<M> operation) : operation_(std::move(operation)) {
    for (int thread = 0; thread < memory.threads(); ++thread) {
      const auto first = memory.words(2, sizeof(std::uint64_t), thread),
                 done = memory.words(2, memory::line, thread);
      words_.push_back({first[0], done[0], done[1]});
      notices_.emplace_back(memory, first[1]);
    }
  }

  /// By the leader: its accumulator, and where the merged elements go.
  void announce(Thread& thread, int follower, Block mine, Block target, std::uint64_t episode) {
    notices_[static_cast<std::size_t>(follower)].put(thread, {mine, target});
    thread.store(word(follower, begin), episode, std::memory_order_release);
  }
  /// By the leader, when the follower's accumulator is complete.
  void lead(Thread& thread, int follower, Block mine, Block theirs, Block target, std::uint64_t episode) {
    operation_.combine_share(thread, target, mine, theirs, 0, 2);
    thread.store(word(follower, leader_done), episode, std::memory_order_release);
    await(thread, word(follower, follower_done), episode);
  }
  /// By the follower: returns when its accumulator will not be read any more.
  void follow(Thread& thread, Block mine, std::uint64_t episode) {
    const int self = thread.thread();
    await(thread, word(self, begin), episode);
    const Notice notice = notices_[static_cast<std::size_t>(self)].get(thread);
    operation_.combine_share(thread, notice.target, notice.leaders, mine, 1, 2);
    thread.store(word(self, follower_done), episode, std::memory_order_release);
    await(thread, word(self, leader_done), episode);
  }

 private:
  enum Which : std::size_t { begin, leader_done, follower_done };
  struct Notice {
    Block leaders, target;
    [[nodiscard]] friend bool operator==(const Notice&, const Notice&) = default;
  };

  [[nodiscard]] typename M::Word word(int thread, Which which) const {
    return words_[static_cast<std::size_t>(thread)][which];
  }
  static void await(Thread& thread, typename M::Word word, std::uint64_t episode) {
    thread.wait(
        word, [episode](std::uint64_t value) { return memory::reached(value, episode); },
        std::memory_order_acquire);
  }

  Operation<M> operation_;
  std::vector<memory::Mailbox<M, Notice>> notices_; ///< by follower
  std::vector<std::vector<typename M::Word>> words_;
};

} // namespace algorithms::in_memory
