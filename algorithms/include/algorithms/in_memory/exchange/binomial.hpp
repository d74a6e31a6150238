// SPDX-License-Identifier: Apache-2.0
// gather/binomial, scatter/binomial
//
// Idea: blocks go up, or down, a binomial tree. A thread has the blocks of its subtree one behind the other,
// so that its parent, or each child, fetches them in one run. For short blocks.
//
// n = 5, gather to 0 (a scatter is the other way round):
//
//     1->0  3->2     2->0     4->0
//
// Cost: ceil(log2 n) hand-overs on the longest path; runs of 1, 2, 4 ... blocks of a gather, of half of the
// vector, a quarter, ... of a scatter.
//
// Restrictions: none.
//
// Blocks and words: the subtree's blocks of each thread; a word that tells what a thread has and has read. A
// thread leaves when its blocks have been read.
//
// Source: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005),
// section 4; a gather by the same tree.
#pragma once

#include <bit>

#include "algorithms/in_memory/exchange/exchange.hpp"
#include "algorithms/shapes/binomial.hpp"

namespace algorithms::in_memory {

/// Which way the blocks go.
enum class Flow { to_root, from_root };

template <memory::Memory M>
class BinomialExchange {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;

  BinomialExchange(M& memory, const Shares& shares, Flow flow)
      : shares_(shares), flow_(flow), progress_(memory) {
    for (int thread = 0; thread < memory.threads(); ++thread)
      subtrees_.push_back(memory.block(shares.bytes(), thread));
  }

  void operator()(Thread& thread, Block source, Block target, int root) {
    const Tree at{thread.threads(), root, (thread.thread() - root + thread.threads()) % thread.threads()};
    progress_.begin(thread);
    progress_.show(thread, {source, target});
    flow_ == Flow::to_root ? gather(thread, at, source, target) : scatter(thread, at, source, target);
  }

 private:
  /// Numbers count from the root on.
  struct Tree {
    int all, root, self;
    [[nodiscard]] int thread(int number) const { return (number + root) % all; }
    /// Children are at distances 1, 2, 4 ... below this; those beyond the last thread do not exist.
    [[nodiscard]] int span(int number) const { return binomial::span(number, all); }
    [[nodiscard]] int size(int number) const { return std::min(span(number), all - number); }
  };
  [[nodiscard]] static int levels(int span) { return std::bit_width(static_cast<unsigned>(span)) - 1; }
  [[nodiscard]] Block subtree(const Tree& at, int number) const {
    return subtrees_[static_cast<std::size_t>(at.thread(number))];
  }

  /// The blocks of a subtree between a run of them and a whole vector: two copies where they begin again at
  /// rank 0.
  void copy_run(Thread& thread, const Tree& at, int number, Block vector, Block run, bool to_vector) const {
    const int first = at.thread(number), count = at.size(number), ahead = std::min(count, at.all - first);
    const std::size_t of_ahead = shares_.run(first, ahead);
    for (const auto& [place, in_run, bytes] :
         {Transfer{shares_.begin(first), 0, of_ahead}, Transfer{0, of_ahead, shares_.begin(count - ahead)}}) {
      const Block in_vector = vector.part(place, bytes), part = run.part(in_run, bytes);
      if (bytes > 0) thread.copy(to_vector ? in_vector : part, to_vector ? part : in_vector);
    }
  }

  /// Stages of a thread: so many children have been read; one more when its own blocks are complete.
  void gather(Thread& thread, const Tree& at, Block source, Block target) {
    const int depth = levels(at.span(at.self));
    const bool is_root = at.self == 0, is_leaf = at.size(at.self) == 1;
    const Block mine = is_root ? target.part(shares_.begin(at.root), source.bytes)
                               : subtree(at, at.self).part(0, source.bytes);
    if ((is_root || !is_leaf) && source.bytes > 0) thread.copy(mine, source);
    for (int level = 0; level < depth && at.self + (1 << level) < at.all; ++level) {
      const int child = at.self + (1 << level);
      progress_.await(thread, at.thread(child), levels(at.span(child)) + 1);
      const Block theirs =
          at.size(child) == 1 ? progress_.buffers(thread, at.thread(child)).source : subtree(at, child);
      const std::size_t bytes = shares_.run(at.thread(child), at.size(child));
      if (is_root)
        copy_run(thread, at, child, target, theirs, true);
      else if (bytes > 0)
        thread.copy(subtree(at, at.self).part(shares_.run(at.thread(at.self), 1 << level), bytes),
                    theirs.part(0, bytes));
      progress_.tell(thread, level + 1);
    }
    if (is_root) return;
    progress_.tell(thread, depth + 1);
    const int parent = binomial::parent(at.self);
    progress_.await(thread, at.thread(parent), levels(at.self - parent) + 1);
  }

  /// Stage 1: the thread has read what is its subtree's.
  void scatter(Thread& thread, const Tree& at, Block source, Block target) {
    const bool is_root = at.self == 0, is_leaf = at.size(at.self) == 1;
    if (!is_root) {
      const int parent = binomial::parent(at.self);
      const Block run = is_leaf ? target : subtree(at, at.self);
      progress_.await(thread, at.thread(parent), 1);
      if (parent == 0) {
        copy_run(thread, at, at.self, progress_.buffers(thread, at.root).source, run, false);
      } else if (const std::size_t bytes = shares_.run(at.thread(at.self), at.size(at.self)); bytes > 0) {
        const std::size_t before = shares_.run(at.thread(parent), at.self - parent);
        thread.copy(run.part(0, bytes), subtree(at, parent).part(before, bytes));
      }
    }
    progress_.tell(thread, 1);
    const Block mine = is_root ? source.part(shares_.begin(at.root), target.bytes)
                               : subtree(at, at.self).part(0, target.bytes);
    if ((is_root || !is_leaf) && target.bytes > 0) thread.copy(target, mine);
    std::vector<int> children;
    for (int distance = 1; distance < at.span(at.self) && at.self + distance < at.all; distance *= 2)
      children.push_back(at.thread(at.self + distance));
    progress_.await_all(thread, children, 1);
  }

  Shares shares_;
  Flow flow_;
  Progress<M> progress_;
  std::vector<Block> subtrees_; ///< by thread
};

} // namespace algorithms::in_memory
