// SPDX-License-Identifier: Apache-2.0
// reduce/join_tree
//
// Idea: the join of a parallel region by a tree (join/tree.hpp): whoever picks up another's arrival adds what
// that one has left to its own at that moment.
//
// n = 5:
//
//     h = 1   0+1  2+3      h = 2   0+2      h = 4   0+4
//
// Cost: that of the join, and ceil(log2 n) blocks fetched one after another on the longest path.
//
// Restrictions: none. Order of operands: (0 + 1) + (2 + 3), ..., as in reduce/pair_tree.
//
// Blocks and words: a block for each thread, so that it may leave at once; the join's words, and one that
// tells that the master has everything. With a start between two regions (join/fork.hpp) that one is never
// waited for.
//
// Source: Berger, Stamatakis: Assessment of Barrier Implementations for Fine-Grain Parallel Regions on
// Current Multi-core Architectures.
#pragma once

#include "algorithms/in_memory/join/tree.hpp"
#include "algorithms/in_memory/reduce/reduction.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class JoinTreeReduction {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  /// `bytes` is the longest block.
  JoinTreeReduction(M& memory, Operation<M> operation, std::size_t bytes)
      : operation_(std::move(operation)),
        tree_(memory, Padding::line),
        taken_(memory.words(1, memory::line, 0)[0]),
        own_(static_cast<std::size_t>(memory.threads())) {
    for (int thread = 0; thread < memory.threads(); ++thread) slots_.push_back(memory.block(bytes, thread));
  }

  void operator()(Thread& thread, Block input, Block result) {
    const auto self = static_cast<std::size_t>(thread.thread());
    const std::uint64_t episode = ++own_[self].value;
    if (thread.threads() == 1) return thread.copy(result, input);
    const Block mine = self == 0 ? result : slots_[self].part(0, input.bytes);
    if (self > 0)
      thread.wait(
          taken_, [episode](std::uint64_t value) { return memory::reached(value, episode - 1); },
          std::memory_order_acquire);
    bool has_own = false;
    const auto pick_up = [&](int child) {
      const Block theirs = slots_[static_cast<std::size_t>(child)].part(0, input.bytes);
      const Block sources[] = {has_own ? mine : input, theirs};
      if (input.bytes > 0) operation_.combine(thread, mine, sources);
      has_own = true;
    };
    const std::uint64_t full = tree_.gather(thread, pick_up);
    if (self == 0) return thread.store(taken_, episode, std::memory_order_release);
    if (!has_own) thread.copy(mine, input);
    tree_.report(thread, full);
  }

 private:
  Operation<M> operation_;
  Tree<M> tree_;
  typename M::Word taken_;
  std::vector<memory::PerThread<std::uint64_t>> own_; ///< episodes
  std::vector<Block> slots_;
};

} // namespace algorithms::in_memory
