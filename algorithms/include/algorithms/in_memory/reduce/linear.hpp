// SPDX-License-Identifier: Apache-2.0
// reduce/linear
//
// Idea: nobody's partial result is passed on: every thread combines one slice of all inputs.
//
// n = 3, twelve elements, a line has one:
//
//     barrier    0: 0..3 of a b c    1: 4..7 of a b c    2: 8..11 of a b c    barrier
//
// Cost: two barriers; each thread fetches (n-1)/n of a block from others, one input after another.
//
// Restrictions: none. Order of operands: that of threads. Slices end between lines, so few elements are one
// thread's work.
//
// Blocks and words: nothing but the barrier's. The result is complete, and inputs are free, behind the second
// barrier.
//
// Source: P. Falkman: Efficient reduction over threads (2011). Which barrier, it does not say: a counter
// unless another is named.
#pragma once

#include "algorithms/in_memory/barrier/barriers.hpp"
#include "algorithms/in_memory/reduce/reduction.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class LinearReduction {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  LinearReduction(M& memory, Operation<M> operation, Barrier<M> barrier)
      : operation_(std::move(operation)),
        barrier_(std::move(barrier)),
        inputs_(memory::mailboxes<M, Block>(memory)) {}

  void operator()(Thread& thread, Block input, Block result) {
    const int self = thread.thread(), all = thread.threads();
    inputs_[static_cast<std::size_t>(self)].put(thread, input);
    barrier_(thread);
    const std::size_t from = operation_.border(input.bytes, self, all),
                      to = operation_.border(input.bytes, self + 1, all);
    if (from < to) {
      std::vector<Block> slices;
      for (const auto& block : inputs_) slices.push_back(block.get(thread).part(from, to - from));
      operation_.combine(thread, result.part(from, to - from), slices);
    }
    barrier_(thread);
  }

 private:
  Operation<M> operation_;
  Barrier<M> barrier_;
  std::vector<memory::Mailbox<M, Block>> inputs_;
};

} // namespace algorithms::in_memory
