// SPDX-License-Identifier: Apache-2.0
// allreduce/recursive_doubling, reduce_scatter/recursive_doubling
//
// Idea: in each round two threads whose numbers differ in one bit take what the other one has combined so
// far. For short vectors. A reduce_scatter keeps of the result what is the thread's.
//
// n = 5 (0 stays out, 1 has its operand, too):
//
//     0->1     1-2  3-4     1-3  2-4     1->0
//
// Cost: floor(log2 n) rounds of a hand-over and a vector fetched, all threads at once; two more where n is no
// power of two.
//
// Restrictions: none. Order of operands: neighbours, pairs of them and so on, the lower one first; every
// thread combines the same values in the same order.
//
// Blocks and words: log2 n + 2 parts of the vector of each thread, twice (Scratch); a word that tells the
// round. A thread that has the result has heard of all. Longer vectors are combined part by part.
//
// Source: Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations in MPICH (2005),
// section 4.5.
#pragma once

#include "algorithms/in_memory/exchange/exchange.hpp"
#include "algorithms/shapes/recursive_doubling.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class RecursiveDoubling {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  RecursiveDoubling(M& memory, const Shares& shares, Operation<M> operation, const ExchangeOptions& options)
      : shares_(shares),
        shape_(memory.threads()),
        parts_(shares.bytes(), operation.element_bytes, options),
        operation_(std::move(operation)),
        progress_(memory),
        scratch_(memory, last() + 1, parts_.longest()) {}

  void operator()(Thread& thread, Block source, Block target, int root) {
    const Transfer mine = shares_.transfer(thread.thread(), thread.thread(), root);
    for (int part = 0; part < parts_.count(); ++part) {
      const std::size_t begin = parts_.begin(part);
      const Block result = all_of(thread, parts_.of(source, part));
      const std::size_t from = std::max(begin, mine.from),
                        to = std::min(begin + result.bytes, mine.from + mine.bytes);
      if (from < to)
        thread.copy(target.part(from - mine.from, to - from), result.part(from - begin, to - from));
    }
  }

 private:
  /// Combines one part of all operands; returns where the result is until the next but one.
  Block all_of(Thread& thread, Block source) {
    const int self = thread.thread();
    const std::uint64_t call = progress_.begin(thread);
    // Vector i of a thread is complete when it has told i + 1: the operand, that with the one of the thread
    // below, the results of rounds.
    const auto vector = [&](int of, int at) { return scratch_.of(of, call, at, source.bytes); };
    const auto join = [&](int lower, int lower_at, int upper, int upper_at, int to) {
      if (source.bytes > 0)
        operation_.combine(thread, vector(self, to),
                           std::array{vector(lower, lower_at), vector(upper, upper_at)});
      progress_.tell(thread, to + 1);
    };
    if (source.bytes > 0) thread.copy(vector(self, 0), source);
    progress_.tell(thread, 1);
    if (shape_.stays_out(self)) {
      progress_.await(thread, self + 1, last() + 1);
      return vector(self + 1, last());
    }
    int have = 0;
    if (shape_.is_deputy(self)) {
      progress_.await(thread, self - 1, 1);
      join(self - 1, 0, self, 0, 1);
      have = 1;
    }
    for (int round = 0; round < shape_.rounds(); ++round) {
      const int partner = shape_.partner(self, round),
                theirs = round > 0 ? round + 1 : shape_.is_deputy(partner);
      progress_.await(thread, partner, theirs + 1);
      const bool below = self < partner;
      join(below ? self : partner, below ? have : theirs, below ? partner : self, below ? theirs : have,
           round + 2);
      have = round + 2;
    }
    return vector(self, have);
  }
  /// The index of the vector that has the result.
  [[nodiscard]] int last() const { return shape_.rounds() > 0 ? shape_.rounds() + 1 : 0; }

  Shares shares_;
  recursive_doubling::Shape shape_;
  Parts parts_;
  Operation<M> operation_;
  Progress<M> progress_;
  ScratchVectors<M> scratch_;
};

} // namespace algorithms::in_memory
