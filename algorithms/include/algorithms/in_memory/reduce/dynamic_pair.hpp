// SPDX-License-Identifier: Apache-2.0
// reduce/dynamic_pair
//
// Idea: no tree: whoever is ready first waits at a shared word, and the next that is ready takes it as its
// partner. Both combine half of the elements; the later one goes on with the result, the other leaves. A late
// thread holds nobody up but its one partner.
//
// n = 5, threads come in the order 3 1 0 4 2 (a+b: a pair, a goes on):
//
//     3 waits   1+3   1 waits   0+1   0 waits   4+0   4 waits   2+4
//
// Cost: each thread does the work of one iteration of reduce/pair_tree and, on the way to the result, of the
// pairs that it leads: about log2 n where all come at once, one behind the last one where they come far
// apart. Each visit to the word is one or two compare-and-swaps of a line that all want.
//
// Restrictions: commutative operations, up to 65535 threads. Order of operands: that of arrival.
//
// Blocks and words: a block for each thread, so that inputs stay as they are, or none where merges are in
// place; n - 1 words that are used in
// turn, each on a line of its own near thread 0, and those of merge.hpp. Threads leave early; with fewer
// words one that is already in the next operation could be taken by a late one of this operation.
//
// Source: P. Falkman: Efficient reduction over threads (2011), dynamic pair generation; the ring of words is
// ours.
#pragma once

#include "algorithms/in_memory/reduce/merge.hpp"
#include "algorithms/in_memory/reduce/neighbour.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class DynamicPair {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  /// `bytes` is the longest block.
  DynamicPair(M& memory, Operation<M> operation, std::size_t bytes, const ReduceOptions& options)
      : merge_(memory, std::move(operation)),
        neighbours_(memory, options.flags > 0 ? options.flags : std::max(1, memory.threads() - 1),
                    options.log),
        accumulators_(memory::mailboxes<M, Block>(memory)),
        own_(static_cast<std::size_t>(memory.threads())),
        accumulation_(memory, bytes, options) {}

  void operator()(Thread& thread, Block input, Block result) {
    const int all = thread.threads();
    const auto self = static_cast<std::size_t>(thread.thread());
    const std::uint64_t episode = ++own_[self].value;
    if (all == 1) return thread.copy(result, input);
    Block mine = input;
    for (int operands = 1; operands < all;) {
      accumulators_[self].put(thread, mine);
      const dynamic_pair::Word found = neighbours_.find(thread, operands, episode);
      if (found == dynamic_pair::empty) return merge_.follow(thread, mine, episode);
      const int follower = dynamic_pair::rank_of(found);
      operands += dynamic_pair::operands_of(found);
      const Block target = operands == all ? result : accumulation_.target(thread, mine);
      merge_.announce(thread, follower, mine, target, episode);
      merge_.lead(thread, follower, mine, accumulators_[static_cast<std::size_t>(follower)].get(thread),
                  target, episode);
      mine = target;
    }
  }

 private:
  PairMerge<M> merge_;
  Neighbours<M> neighbours_;
  std::vector<memory::Mailbox<M, Block>> accumulators_;
  std::vector<memory::PerThread<std::uint64_t>> own_; ///< episodes
  Accumulation<M> accumulation_;
};

} // namespace algorithms::in_memory
