// SPDX-License-Identifier: Apache-2.0
// allgather/ring
//
// Idea: every thread takes one block after another from the thread below it, in the order in which that one
// has got them. So each line has one reader at a time, who is a neighbour.
//
// n = 4 (blocks that 0, 1, 2, 3 take):
//
//     d a b c     c d a b     b c d a
//
// Cost: n-1 steps of a hand-over and a block fetched.
//
// Restrictions: none.
//
// Blocks and words: a word for each thread that tells how many blocks are in its target, polled by the thread
// above it; a thread leaves when that one has all.
//
// Source: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005),
// section 4.1.
#pragma once

#include "algorithms/in_memory/exchange/exchange.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class RingAllgather {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  RingAllgather(M& memory, const Shares& shares, const Operation<M>&, const ExchangeOptions&)
      : shares_(shares), progress_(memory) {}

  void operator()(Thread& thread, Block source, Block target, int) {
    const int self = thread.thread(), all = thread.threads(), below = (self + all - 1) % all;
    progress_.begin(thread);
    progress_.show(thread, {source, target});
    if (source.bytes > 0) thread.copy(target.part(shares_.begin(self), source.bytes), source);
    progress_.tell(thread, 1);
    for (int step = 1; step < all; ++step) {
      const int of = (self + all - step) % all;
      progress_.await(thread, below, step);
      if (const std::size_t bytes = shares_.block(of); bytes > 0)
        thread.copy(target.part(shares_.begin(of), bytes),
                    progress_.buffers(thread, below).target.part(shares_.begin(of), bytes));
      progress_.tell(thread, step + 1);
    }
    progress_.await(thread, (self + 1) % all, all);
  }

 private:
  Shares shares_;
  Progress<M> progress_;
};

} // namespace algorithms::in_memory
