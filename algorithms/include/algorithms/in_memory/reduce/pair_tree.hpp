// SPDX-License-Identifier: Apache-2.0
// reduce/pair_tree
//
// Idea: pairs, then pairs of pairs. Both threads of a pair work, half of the elements each, and the parent
// goes on.
//
// n = 5:
//
//     iteration 0   0+1  2+3
//     iteration 1   0+2
//     iteration 2   0+4
//
// Cost: ceil(log2 n) iterations one after another, each half a block of work on the longest path, one
// hand-over each way to begin and one to end.
//
// Restrictions: none. Order of operands: (0 + 1) + (2 + 3), ...
//
// Blocks and words: a block for each thread that is a parent, so that inputs stay as they are, or none where
// merges are in place; a word for
// each thread that tells that it is ready, on a line near its parent, and those of merge.hpp. A child leaves
// when its parent has read its half.
//
// Source: P. Falkman: Efficient reduction over threads (2011), static pair reduction.
#pragma once

#include "algorithms/in_memory/reduce/merge.hpp"
#include "algorithms/shapes/pair_tree.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class PairTreeReduction {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  /// `bytes` is the longest block.
  PairTreeReduction(M& memory, Operation<M> operation, std::size_t bytes, const ReduceOptions& options)
      : merge_(memory, std::move(operation)),
        accumulators_(memory::mailboxes<M, Block>(memory)),
        own_(static_cast<std::size_t>(memory.threads())),
        accumulation_(memory, bytes, options, 2),
        in_place_(options.in_place) {
    for (int thread = 0; thread < memory.threads(); ++thread)
      ready_.push_back(memory.words(1, memory::line, pair_tree::parent(thread))[0]);
  }

  void operator()(Thread& thread, Block input, Block result) {
    const int self = thread.thread(), all = thread.threads();
    const auto at = static_cast<std::size_t>(self);
    const std::uint64_t episode = ++own_[at].value;
    if (all == 1) return thread.copy(result, input);
    Block mine = input;
    for (int iteration = 0; iteration < pair_tree::iterations(all); ++iteration) {
      if (self > 0 && iteration == pair_tree::child_iteration(self)) {
        accumulators_[at].put(thread, mine);
        thread.store(ready_[at], episode, std::memory_order_release);
        return merge_.follow(thread, mine, episode);
      }
      const int child = pair_tree::child(self, iteration);
      if (child >= all) continue;
      const bool is_last = iteration + 1 == pair_tree::iterations(all);
      const Block target = self == 0 && (is_last || !in_place_) ? result : accumulation_.target(thread, mine);
      merge_.announce(thread, child, mine, target, episode);
      thread.wait(
          ready_[static_cast<std::size_t>(child)],
          [episode](std::uint64_t value) { return memory::reached(value, episode); },
          std::memory_order_acquire);
      merge_.lead(thread, child, mine, accumulators_[static_cast<std::size_t>(child)].get(thread), target,
                  episode);
      mine = target;
    }
  }

 private:
  PairMerge<M> merge_;
  std::vector<memory::Mailbox<M, Block>> accumulators_;
  std::vector<memory::PerThread<std::uint64_t>> own_; ///< episodes
  std::vector<typename M::Word> ready_;
  Accumulation<M> accumulation_;
  bool in_place_;
};

} // namespace algorithms::in_memory
