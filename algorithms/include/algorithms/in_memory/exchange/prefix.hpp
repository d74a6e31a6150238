// SPDX-License-Identifier: Apache-2.0
// scan/linear, scan/recursive_doubling
//
// Idea: linear is a chain of all threads through which the vector goes in parts. In round k of recursive
// doubling every thread combines with its own what the thread 2^k below has combined so far; for short
// vectors.
//
// n = 5, recursive doubling (what 4 has; others at the same time):
//
//     4     3..4     1..4     0..4
//
// Cost: linear takes m + n - 1 steps for m parts, each a hand-over and a part fetched. Recursive doubling
// takes ceil(log2 n) rounds of a hand-over and a vector.
//
// Restrictions: none. Order of operands: linear has that of threads; recursive doubling keeps neighbours
// together, the lower one first.
//
// Blocks and words: a word for each thread that tells its parts or rounds. Parts go from target to target; a
// thread leaves when the next one has read all. Recursive doubling has log2 n + 1 parts of each thread,
// twice (Scratch), and takes longer vectors part by part. There the threads also wait for those from which
// they take nothing, round about, so that a thread that has ended has heard of all.
//
// Source: linear: folklore. Recursive doubling: Hillis, Steele: Data Parallel Algorithms (1986).
#pragma once

#include <bit>

#include "algorithms/in_memory/exchange/exchange.hpp"
#include "algorithms/shapes/dissemination.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class LinearScan {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  LinearScan(M& memory, const Shares& shares, Operation<M> operation, const ExchangeOptions& options)
      : parts_(shares.bytes(), operation.element_bytes, options),
        operation_(std::move(operation)),
        progress_(memory) {}

  void operator()(Thread& thread, Block source, Block target, int) {
    const int self = thread.thread();
    progress_.begin(thread);
    progress_.show(thread, {source, target});
    for (int part = 0; part < parts_.count(); ++part) {
      const Block to = parts_.of(target, part), mine = parts_.of(source, part);
      if (self > 0) progress_.await(thread, self - 1, part + 1);
      if (to.bytes > 0 && self == 0) thread.copy(to, mine);
      if (to.bytes > 0 && self > 0)
        operation_.combine(thread, to,
                           std::array{parts_.of(progress_.buffers(thread, self - 1).target, part), mine});
      progress_.tell(thread, part + 1);
    }
    if (self + 1 < thread.threads()) progress_.await(thread, self + 1, parts_.count());
  }

 private:
  Parts parts_;
  Operation<M> operation_;
  Progress<M> progress_;
};

template <memory::Memory M>
class RecursiveDoublingScan {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  RecursiveDoublingScan(M& memory, const Shares& shares, Operation<M> operation,
                        const ExchangeOptions& options)
      : shape_(memory.threads(), 1),
        parts_(shares.bytes(), operation.element_bytes, options),
        operation_(std::move(operation)),
        progress_(memory),
        scratch_(memory, shape_.rounds() + 1, parts_.longest()) {}

  void operator()(Thread& thread, Block source, Block target, int) {
    for (int part = 0; part < parts_.count(); ++part)
      scan(thread, parts_.of(source, part), parts_.of(target, part));
  }

 private:
  void scan(Thread& thread, Block source, Block target) {
    const int self = thread.thread();
    const std::uint64_t call = progress_.begin(thread);
    // What a thread has before a round: there is nothing below thread 0.
    const auto vector = [&](int of, int round) {
      const int at = std::min(round, static_cast<int>(std::bit_width(static_cast<unsigned>(of))));
      return scratch_.of(of, call, at, source.bytes);
    };
    if (source.bytes > 0) thread.copy(vector(self, 0), source);
    progress_.tell(thread, 1);
    for (int round = 0; round < shape_.rounds(); ++round) {
      const int other = shape_.waits_for(self, shape_.distance(round, 0));
      progress_.await(thread, other, round + 1);
      if (other < self && source.bytes > 0)
        operation_.combine(thread, vector(self, round + 1),
                           std::array{vector(other, round), vector(self, round)});
      progress_.tell(thread, round + 2);
    }
    if (source.bytes > 0) thread.copy(target, vector(self, shape_.rounds()));
  }

  dissemination::Shape shape_;
  Parts parts_;
  Operation<M> operation_;
  Progress<M> progress_;
  ScratchVectors<M> scratch_;
};

} // namespace algorithms::in_memory
