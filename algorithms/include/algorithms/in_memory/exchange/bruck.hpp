// SPDX-License-Identifier: Apache-2.0
// allgather/bruck, alltoall/bruck
//
// Idea: in round k every thread fetches from one thread at the distance 2^k all that it can use in one run of
// bytes: of an allgather what that one has so far, of an alltoall the blocks whose remaining way has bit k.
// For short blocks.
//
// n = 5, allgather (the blocks of thread 0 after each round):
//
//     0     0 1     0 1 2 3     0 1 2 3 4
//
// Cost: ceil(log2 n) rounds of a hand-over and a stream, all threads at once: n-1 blocks in all of an
// allgather, about n/2 a round of an alltoall, and as many moved in the own cache.
//
// Restrictions: none.
//
// Blocks and words: of an allgather a vector of each thread, of an alltoall log2 n halves of a part of one,
// twice (Scratch), and one and a half that only their thread uses; a word that tells the round. A thread that
// has ended has heard of all. Longer blocks of an alltoall go part by part.
//
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby: Efficient Algorithms for All-to-All Communications in
// Multiport Message-Passing Systems (1997), sections 3 and 4.
#pragma once

#include "algorithms/in_memory/exchange/exchange.hpp"
#include "algorithms/shapes/dissemination.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class BruckAllgather {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  BruckAllgather(M& memory, const Shares& shares, const Operation<M>&, const ExchangeOptions&)
      : shares_(shares), progress_(memory), scratch_(memory, shares.bytes()) {}

  void operator()(Thread& thread, Block source, Block target, int) {
    const int self = thread.thread(), all = thread.threads();
    const std::uint64_t call = progress_.begin(thread);
    // The blocks of `self`, self + 1, ... one behind the other.
    const Block mine = scratch_.of(self, call);
    const auto copy = [&thread](Block to, Block from) {
      if (to.bytes > 0) thread.copy(to, from);
    };
    copy(mine.part(0, source.bytes), source);
    progress_.tell(thread, 1);
    for (int have = 1, round = 0; have < all; have *= 2, ++round) {
      const int other = (self + have) % all;
      const std::size_t bytes = shares_.run(other, std::min(have, all - have));
      progress_.await(thread, other, round + 1);
      copy(mine.part(shares_.run(self, have), bytes), scratch_.of(other, call).part(0, bytes));
      progress_.tell(thread, round + 2);
    }
    const std::size_t before = shares_.begin(self), from_here = shares_.bytes() - before;
    copy(target.part(before, from_here), mine.part(0, from_here));
    copy(target.part(0, before), mine.part(from_here, before));
  }

 private:
  Shares shares_;
  Progress<M> progress_;
  Scratch<M> scratch_;
};

template <memory::Memory M>
class BruckAlltoall {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  BruckAlltoall(M& memory, const Shares& shares, const Operation<M>& operation,
                const ExchangeOptions& options)
      : shares_(shares),
        shape_(memory.threads(), 1),
        parts_(shares.longest_block(), operation.element_bytes, of_block(options, memory.threads())),
        run_((half() * parts_.longest() + memory::line - 1) / memory::line * memory::line),
        progress_(memory),
        packed_(memory, run_ * static_cast<std::size_t>(shape_.rounds())) {
    for (int thread = 0; thread < memory.threads(); ++thread)
      own_.push_back(
          memory.block(run_ + static_cast<std::size_t>(memory.threads()) * parts_.longest(), thread));
  }

  void operator()(Thread& thread, Block source, Block target, int) {
    for (int part = 0; part < parts_.count(); ++part) exchange(thread, source, target, part);
  }

 private:
  /// The vector's bytes at a time, shared out to its blocks.
  [[nodiscard]] static ExchangeOptions of_block(ExchangeOptions options, int threads) {
    options.part_bytes = std::max(1, options.part_bytes / threads);
    return options;
  }
  [[nodiscard]] std::size_t length(int of_block_of, int part) const {
    const std::size_t block = shares_.block(of_block_of);
    return std::min(block, parts_.begin(part + 1)) - std::min(block, parts_.begin(part));
  }

  /// Part `part` of every block.
  void exchange(Thread& thread, Block source, Block target, int part) {
    const int self = thread.thread(), all = thread.threads();
    const std::uint64_t call = progress_.begin(thread);
    const Block own = own_[static_cast<std::size_t>(self)], incoming = own.part(0, run_);
    // Where the block is that has j threads to go upwards from where it began.
    const auto place = [&](int j) {
      return own.part(run_ + static_cast<std::size_t>(j) * parts_.longest(), parts_.longest());
    };
    const auto move = [&](Block to, Block from, std::size_t bytes) {
      if (bytes > 0) thread.copy(to.part(0, bytes), from.part(0, bytes));
    };
    for (int j = 0; j < all; ++j) {
      const int to = (self + j) % all;
      const std::size_t bytes = length(to, part);
      if (bytes > 0) move(place(j), source.part(shares_.begin(to) + parts_.begin(part), bytes), bytes);
    }
    for (int round = 0; round < shape_.rounds(); ++round) {
      const int distance = shape_.distance(round, 0), other = shape_.waits_for(self, distance);
      // Calls act(j, place, bytes) for the blocks that leave thread `of`, one behind the other, and returns
      // what they are together. Of the way of block j its lower bits are behind it.
      const auto leaving = [&](int of, auto&& act) {
        std::size_t at = 0;
        for (int j = distance; j < all; ++j) {
          if ((j & distance) == 0) continue;
          const std::size_t bytes = length((of - (j & (distance - 1)) + j + all) % all, part);
          act(j, at, bytes);
          at += bytes;
        }
        return at;
      };
      const Block out = packed(self, call, round);
      leaving(self,
              [&](int j, std::size_t at, std::size_t bytes) { move(out.part(at, bytes), place(j), bytes); });
      progress_.tell(thread, round + 1);
      progress_.await(thread, other, round + 1);
      move(incoming, packed(other, call, round), leaving(other, [](int, std::size_t, std::size_t) {}));
      leaving(other, [&](int j, std::size_t at, std::size_t bytes) {
        move(place(j), incoming.part(at, bytes), bytes);
      });
    }
    const std::size_t bytes = length(self, part);
    for (int j = 0; j < all && bytes > 0; ++j)
      move(target.part(static_cast<std::size_t>((self - j + all) % all) * shares_.block(self) +
                           parts_.begin(part),
                       bytes),
           place(j), bytes);
  }

  /// Blocks that go on in a round at most.
  [[nodiscard]] std::size_t half() const { return static_cast<std::size_t>(shares_.ranks() + 1) / 2; }
  [[nodiscard]] Block packed(int of, std::uint64_t call, int round) const {
    return packed_.of(of, call).part(static_cast<std::size_t>(round) * run_, run_);
  }

  Shares shares_;
  dissemination::Shape shape_;
  Parts parts_;     ///< the parts of each block
  std::size_t run_; ///< bytes of what goes on in a round at most
  Progress<M> progress_;
  Scratch<M> packed_;
  std::vector<Block> own_; ///< by thread: what comes in, then a place for each block
};

} // namespace algorithms::in_memory
