// SPDX-License-Identifier: Apache-2.0
// gather, scatter, allgather, alltoall, reduce_scatter: direct_get and direct_put
//
// Idea: between two barriers every thread takes what it needs straight from the others' sources (get), or
// stores what others need straight to their targets (put). Thread i begins with thread i and goes on upwards,
// so that no two ask the same thread at the same time.
//
// n = 3, allgather by get (who reads from whom):
//
//     barrier    0: 0 1 2    1: 1 2 0    2: 2 0 1    barrier
//
// Cost: two barriers; each thread fetches, or stores, what the operation says and no line more. A gather by
// get and a scatter by put are the root's work alone.
//
// Restrictions: none. reduce_scatter has a get only, in the order of threads, so that operands are combined
// in that order.
//
// Blocks and words: the barrier's, and where each thread's buffers are, on a line of its own. Buffers are
// free and targets are complete behind the second barrier.
//
// Source: direct copies between processes: Ma, Bosilca, Bouteiller, Goglin, Squyres, Dongarra: Kernel
// Assisted Collective Intra-node MPI Communication among Multi-core and Many-core CPUs (2011); the rotation
// is that of pairwise exchange: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication
// Operations in MPICH (2005), section 4.2.
#pragma once

#include "algorithms/in_memory/exchange/exchange.hpp"

namespace algorithms::in_memory {

/// Who moves the bytes.
enum class Mover { receiver, sender };

template <memory::Memory M>
class DirectExchange {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  DirectExchange(M& memory, const Shares& shares, Operation<M> operation, Mover mover,
                 const ExchangeOptions& options)
      : shares_(shares),
        operation_(std::move(operation)),
        mover_(mover),
        barrier_(row_of(barriers<M>(), options.barrier).make(memory, {})),
        progress_(memory) {}

  void operator()(Thread& thread, Block source, Block target, int root) {
    const int self = thread.thread(), all = thread.threads();
    progress_.show(thread, {source, target});
    barrier_(thread);
    if (shares_.what().combines != 0) {
      combine(thread, target, root);
    } else {
      for (int step = 0; step < all; ++step) {
        const int other = (self + step) % all;
        const bool gets = mover_ == Mover::receiver;
        const Transfer transfer =
            gets ? shares_.transfer(other, self, root) : shares_.transfer(self, other, root);
        if (transfer.bytes == 0) continue;
        const Block from = gets && step > 0 ? progress_.buffers(thread, other).source : source,
                    to = !gets && step > 0 ? progress_.buffers(thread, other).target : target;
        thread.copy(to.part(transfer.to, transfer.bytes), from.part(transfer.from, transfer.bytes));
      }
    }
    barrier_(thread);
  }

 private:
  void combine(Thread& thread, Block target, int root) {
    std::vector<Block> operands;
    for (int other = 0; other < thread.threads(); ++other) {
      const Transfer transfer = shares_.transfer(other, thread.thread(), root);
      if (transfer.bytes == 0) return;
      operands.push_back(progress_.buffers(thread, other).source.part(transfer.from, transfer.bytes));
    }
    operation_.combine(thread, target, operands);
  }

  Shares shares_;
  Operation<M> operation_;
  Mover mover_;
  Barrier<M> barrier_;
  Progress<M> progress_;
};

} // namespace algorithms::in_memory
