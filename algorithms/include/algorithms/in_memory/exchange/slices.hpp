// SPDX-License-Identifier: Apache-2.0
// allreduce/reduce_scatter, scan/slices
//
// Idea: between barriers each thread combines one slice of all operands. Of an allreduce it writes the slice
// of the result to its own target, and behind a second barrier gets all other slices from the others'
// targets, beginning with the thread above it. Of a scan it writes its slice of every thread's result to that
// thread's target.
//
// n = 3, allreduce of operands a b c, slices x y z:
//
//     barrier   0: x of a b c   1: y of a b c   2: z of a b c   barrier   0: y z   1: z x   2: x y   barrier
//
// Cost: an allreduce takes three barriers; each thread fetches 2 (n-1)/n of the vector. A scan takes two, and
// each thread fetches (n-1)/n of the vector and stores as much.
//
// Restrictions: none. Order of operands: that of threads. Slices end between lines, so few elements are one
// thread's work.
//
// Blocks and words: the barrier's, and where each thread's buffers are, on a line of its own.
//
// Source: of the allreduce: Rabenseifner, Optimization of Collective Reduction Operations (2004),
// reduce_scatter and allgather; in shared memory each half is one step, as in P. Falkman: Efficient reduction
// over threads (2011), linear reduction. The scan is ours.
#pragma once

#include "algorithms/in_memory/exchange/exchange.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class SlicesExchange {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  SlicesExchange(M& memory, const Shares& shares, Operation<M> operation, const ExchangeOptions& options)
      : shares_(shares),
        operation_(std::move(operation)),
        barrier_(row_of(barriers<M>(), options.barrier).make(memory, {})),
        progress_(memory) {}

  void operator()(Thread& thread, Block source, Block target, int) {
    progress_.show(thread, {source, target});
    barrier_(thread);
    if (shares_.what().of_lower_ranks != 0) {
      scan(thread);
    } else {
      const int self = thread.thread(), all = thread.threads();
      std::vector<Block> operands;
      for (int other = 0; other < all; ++other)
        operands.push_back(slice(progress_.buffers(thread, other).source, self));
      if (operands[0].bytes > 0) operation_.combine(thread, slice(target, self), operands);
      barrier_(thread);
      for (int step = 1; step < all; ++step) {
        const int other = (self + step) % all;
        const Block part = slice(target, other);
        if (part.bytes > 0) thread.copy(part, slice(progress_.buffers(thread, other).target, other));
      }
    }
    barrier_(thread);
  }

 private:
  [[nodiscard]] Block slice(Block vector, int of) const {
    const std::size_t from = operation_.border(shares_.bytes(), of, shares_.ranks());
    return vector.part(from, operation_.border(shares_.bytes(), of + 1, shares_.ranks()) - from);
  }
  void scan(Thread& thread) {
    const int self = thread.thread();
    Block before{};
    for (int of = 0; of < thread.threads(); ++of) {
      const Buffers<M> buffers = progress_.buffers(thread, of);
      const Block from = slice(buffers.source, self), to = slice(buffers.target, self);
      if (from.bytes == 0) return;
      if (of == 0)
        thread.copy(to, from);
      else
        operation_.combine(thread, to, std::array{before, from});
      before = to;
    }
  }

  Shares shares_;
  Operation<M> operation_;
  Barrier<M> barrier_;
  Progress<M> progress_;
};

} // namespace algorithms::in_memory
