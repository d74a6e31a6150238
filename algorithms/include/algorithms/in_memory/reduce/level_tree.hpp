// SPDX-License-Identifier: Apache-2.0
// reduce/level_tree
//
// Idea: a tree of which every level has a fan-out of its own, chosen for the machine. Children tell their
// parent on one line that it polls; it combines their blocks with its own and goes on.
//
// n = 10, fan-outs 3 2:
//
//     4,5 -> 1   6,7 -> 2   8,9 -> 3        then  1,2,3 -> 0
//
// Cost: for each level k stores to a line that one thread polls, k blocks fetched by it, one store that k
// children read.
//
// Restrictions: commutative operations. Order of operands: own, first child, second child, ...: fixed by the
// number of threads and the fan-outs.
//
// Blocks and words: a block for each thread that has children; for each parent a word a child, near it, on
// shared lines or on one each, and one that tells the children that their blocks have been read. They hold
// the number of the operation.
//
// Source: Ramos, Hoefler: Modeling Communication in Cache-Coherent SMP Systems (2013), section 5.
#pragma once

#include "algorithms/in_memory/reduce/reduction.hpp"
#include "algorithms/shapes/level_tree.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class LevelTreeReduction {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;
  using Word = typename M::Word;

  /// `bytes` is the longest block.
  LevelTreeReduction(M& memory, Operation<M> operation, std::size_t bytes, const ReduceOptions& options)
      : operation_(std::move(operation)),
        shape_(memory.threads(), options.fan_outs),
        own_(static_cast<std::size_t>(memory.threads())) {
    for (int thread = 0; thread < memory.threads(); ++thread) {
      const auto children = static_cast<std::size_t>(shape_.children(thread));
      auto& ready = ready_.emplace_back();
      std::vector<Word> words;
      for (std::size_t child = 0; child < children; ++child) {
        // A child's word and where its accumulator is, on one line, which is its own or its siblings', too.
        if (!options.shared_line || child == 0)
          words = memory.words(options.shared_line ? 2 * children : 2, sizeof(std::uint64_t), thread);
        const std::size_t place = options.shared_line ? 2 * child : 0;
        ready.push_back(words[place]);
        accumulators_.emplace_back(memory, words[place + 1]); // children come in the order of threads
      }
      taken_.push_back(memory.words(1, memory::line, thread)[0]);
      scratch_.push_back(memory.block(children > 0 && thread > 0 ? bytes : 0, thread));
    }
  }

  void operator()(Thread& thread, Block input, Block result) {
    const int self = thread.thread();
    const auto at = static_cast<std::size_t>(self);
    const std::uint64_t episode = ++own_[at].value;
    const auto reached = [episode](std::uint64_t value) { return memory::reached(value, episode); };
    if (thread.threads() == 1) return thread.copy(result, input);
    Block mine = input;
    if (const int children = shape_.children(self); children > 0) {
      thread.wait_all(std::span<const Word>(ready_[at]), reached, std::memory_order_acquire);
      std::vector<Block> blocks{input};
      for (int child = 0; child < children; ++child)
        blocks.push_back(
            accumulators_[static_cast<std::size_t>(shape_.first_child(self) + child - 1)].get(thread));
      mine = self == 0 ? result : scratch_[at].part(0, input.bytes);
      if (input.bytes > 0) operation_.combine(thread, mine, blocks);
      thread.store(taken_[at], episode, std::memory_order_release);
    }
    if (self == 0) return;
    const auto parent = static_cast<std::size_t>(shape_.parent(self));
    accumulators_[at - 1].put(thread, mine);
    thread.store(ready_[parent][static_cast<std::size_t>(shape_.child_index(self))], episode,
                 std::memory_order_release);
    thread.wait(taken_[parent], reached, std::memory_order_acquire);
  }

 private:
  Operation<M> operation_;
  level_tree::Shape shape_;
  std::vector<memory::Mailbox<M, Block>> accumulators_; ///< accumulators of threads 1 ...
  std::vector<memory::PerThread<std::uint64_t>> own_;   ///< episodes
  std::vector<std::vector<Word>> ready_;                ///< by parent and child
  std::vector<Word> taken_;                             ///< by parent
  std::vector<Block> scratch_;
};

} // namespace algorithms::in_memory
