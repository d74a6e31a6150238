// SPDX-License-Identifier: Apache-2.0
// allreduce/reduce_bcast
//
// Idea: a reduction to thread 0, and a broadcast of its result; any two rows of those operations of which the
// reduction is complete when thread 0 returns.
//
// n = 4, by trees of which each level has a fan-out of its own:
//
//     1,2 -> 0   3 -> 1          0 -> 1,2   1 -> 3
//
// Cost: that of both.
//
// Restrictions and order of operands: those of the reduction.
//
// Blocks and words: those of both, and a block for the result near thread 0.
//
// Source: folklore; the trees: Ramos, Hoefler: Modeling Communication in Cache-Coherent SMP Systems (2013),
// section 5.
#pragma once

#include "algorithms/in_memory/exchange/exchange.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class ReduceBcast {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  ReduceBcast(M& memory, const Shares& shares, const Operation<M>& operation, const ExchangeOptions& options)
      : reduce_(row_of(reductions<M>(), options.reduction)
                    .make(memory, operation, shares.bytes(), options.reduce)),
        bcast_(row_of(broadcasts<M>(), options.broadcast).make(memory, options.bcast)),
        result_(memory.block(shares.bytes(), 0)) {}

  void operator()(Thread& thread, Block source, Block target, int) {
    const bool has_result = thread.thread() == 0;
    reduce_(thread, source, result_);
    bcast_(thread, has_result ? result_ : target, 0);
    if (has_result && target.bytes > 0) thread.copy(target, result_);
  }

 private:
  Reduction<M> reduce_;
  Broadcast<M> bcast_;
  Block result_;
};

} // namespace algorithms::in_memory
