// SPDX-License-Identifier: Apache-2.0
// reduce/master_sequential, reduce/master_vector
//
// Idea: at the join of a parallel region, the master adds up what the workers have left: one quantity after
// another, or all quantities of a worker at once.
//
// n = 4, quantities a and b:
//
//     sequential   ((a0+a1)+a2)+a3  ((b0+b1)+b2)+b3          vector   (((a0 b0)+(a1 b1))+(a2 b2))+(a3 b3)
//
// Cost: that of the join, and n - 1 blocks fetched by the master.
//
// Restrictions: meant for few elements. Order of operands: that of threads; both have the same bits.
//
// Blocks and words: a block for each thread, into which it copies its input before it arrives, so that it may
// leave at once; the join's words, and one that tells the workers that the master has read the blocks. With a
// start between two regions (join/fork.hpp) that one is never waited for.
//
// Source: Berger, Stamatakis: Assessment of Barrier Implementations for Fine-Grain Parallel Regions on
// Current Multi-core Architectures.
#pragma once

#include "algorithms/in_memory/barrier/barriers.hpp"
#include "algorithms/in_memory/reduce/reduction.hpp"

namespace algorithms::in_memory {

enum class Lanes {
  elements, ///< one element of all threads after another
  blocks,   ///< one thread's block after another
};

template <memory::Memory M>
class MasterReduction {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  /// `bytes` is the longest block.
  MasterReduction(M& memory, Operation<M> operation, std::size_t bytes, Join<M> join, Lanes lanes)
      : operation_(std::move(operation)),
        join_(std::move(join)),
        lanes_(lanes),
        taken_(memory.words(1, memory::line, 0)[0]),
        own_(static_cast<std::size_t>(memory.threads())) {
    for (int thread = 0; thread < memory.threads(); ++thread) slots_.push_back(memory.block(bytes, thread));
  }

  void operator()(Thread& thread, Block input, Block result) {
    const auto self = static_cast<std::size_t>(thread.thread());
    const std::uint64_t episode = ++own_[self].value;
    if (thread.threads() == 1) return thread.copy(result, input);
    if (self > 0) {
      thread.wait(
          taken_, [episode](std::uint64_t value) { return memory::reached(value, episode - 1); },
          std::memory_order_acquire);
      thread.copy(slots_[self].part(0, input.bytes), input);
      join_.arrive(thread);
      return;
    }
    join_.join(thread);
    const std::size_t step = lanes_ == Lanes::elements ? operation_.element_bytes : input.bytes;
    for (std::size_t from = 0; from < input.bytes; from += step) {
      std::vector<Block> blocks{input.part(from, step)};
      for (std::size_t worker = 1; worker < slots_.size(); ++worker)
        blocks.push_back(slots_[worker].part(from, step));
      operation_.combine(thread, result.part(from, step), blocks);
    }
    thread.store(taken_, episode, std::memory_order_release);
  }

 private:
  Operation<M> operation_;
  Join<M> join_;
  Lanes lanes_;
  typename M::Word taken_;
  std::vector<memory::PerThread<std::uint64_t>> own_; ///< episodes
  std::vector<Block> slots_;
};

} // namespace algorithms::in_memory
