// SPDX-License-Identifier: Apache-2.0
// What the broadcasts by trees share: bcast/flat, level_tree, binomial, three_nomial, fibonacci differ in the
// tree and in how a parent tells its children.
//
// A thread that has the message tells its children that its block is complete; each copies it, tells its own
// children, and acknowledges. A thread leaves when its children have acknowledged: its block is not read any
// more.
//
// Words: of each thread, one that all its children poll, or one a child; and an acknowledgement a child, side
// by side on lines near it. They hold the number of the operation and are written by their owner, or by the
// child to which the owner has given the place: with another root a place may belong to another child, but
// only behind its last acknowledgement.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "algorithms/memory/mailbox.hpp"

namespace algorithms::in_memory {

/// How a parent tells its children.
enum class Notice {
  shared, ///< by one word that all of them poll
  single, ///< by a word each, one after another
};

struct BroadcastOptions {
  std::vector<int> fan_outs = {4, 4, 3}; ///< fan-outs of bcast/level_tree
  int latency = 2; ///< latency of bcast/fibonacci, in times that a sender needs: 2 or 4 in the literature
  bool shared_line = true; ///< true if acknowledgements to one parent share lines; otherwise each has one
  std::optional<Notice> notice =
      {}; ///< notice of trees, instead of their default: single of binomial, three_nomial and fibonacci
};

/// A tree by the parent of each rank: -1 for rank 0. Children are told in the order of `children`.
struct SpanningTree {
  std::vector<int> parent;
  std::vector<std::vector<int>> children;
  std::vector<int> place; ///< which child of its parent a rank is

  /// From the parents of ranks 1 ...; `last_first` tells children with higher numbers first.
  static SpanningTree of(int ranks, const std::function<int(int)>& parent_of, bool last_first = false) {
    SpanningTree tree;
    tree.parent.assign(1, -1);
    tree.children.resize(static_cast<std::size_t>(ranks));
    tree.place.resize(static_cast<std::size_t>(ranks));
    for (int rank = 1; rank < ranks; ++rank) tree.parent.push_back(parent_of(rank));
    for (int i = 1; i < ranks; ++i) {
      const int rank = last_first ? ranks - i : i;
      auto& siblings = tree.children[static_cast<std::size_t>(tree.parent[static_cast<std::size_t>(rank)])];
      tree.place[static_cast<std::size_t>(rank)] = static_cast<int>(siblings.size());
      siblings.push_back(rank);
    }
    return tree;
  }
};

template <memory::Memory M>
class TreeBroadcast {
 public:
  using Thread = typename M::Thread;
  using Block = typename M::Block;
  using Word = typename M::Word;

  TreeBroadcast(M& memory, SpanningTree tree, Notice notice, bool shared_line)
      : tree_(std::move(tree)), notice_(notice), own_(static_cast<std::size_t>(memory.threads())) {
    std::size_t most = 0;
    for (const auto& children : tree_.children) most = std::max(most, children.size());
    const std::size_t acknowledgement = shared_line ? sizeof(std::uint64_t) : memory::line;
    for (int thread = 0; thread < memory.threads(); ++thread) {
      auto& complete = complete_.emplace_back();
      for (std::size_t notices = notice == Notice::shared ? 1 : most; notices > 0; --notices) {
        const auto words = memory.words(2, sizeof(std::uint64_t), thread);
        complete.push_back({words[0], memory::Mailbox<M, Block>(memory, words[1])});
      }
      taken_.push_back(memory.words(most, acknowledgement, thread));
    }
  }

  void operator()(Thread& thread, Block block, int root) {
    const int self = thread.thread(), all = thread.threads();
    const auto at = static_cast<std::size_t>(self);
    const auto rank = static_cast<std::size_t>((self - root + all) % all);
    const std::uint64_t episode = ++own_[at].value;
    const auto reached = [episode](std::uint64_t value) { return memory::reached(value, episode); };
    const auto place = static_cast<std::size_t>(tree_.place[rank]);
    const auto parent = static_cast<std::size_t>(rank > 0 ? (tree_.parent[rank] + root) % all : 0);
    if (rank > 0) {
      const Complete& complete = complete_[parent][notice_ == Notice::shared ? 0 : place];
      (void)thread.wait(complete.word, reached, std::memory_order_acquire);
      thread.copy(block, complete.block.get(thread));
    }
    const std::size_t children = tree_.children[rank].size();
    const std::size_t notices = notice_ == Notice::shared ? std::min<std::size_t>(children, 1) : children;
    for (std::size_t child = 0; child < notices; ++child) {
      Complete& complete = complete_[at][child];
      complete.block.put(thread, block);
      thread.store(complete.word, episode, std::memory_order_release);
    }
    if (rank > 0) thread.store(taken_[parent][place], episode, std::memory_order_release);
    thread.wait_all(std::span<const Word>(taken_[at]).first(children), reached, std::memory_order_acquire);
  }

 private:
  /// On one line: the parent's block, and the operation for which it is complete.
  struct Complete {
    Word word;
    memory::Mailbox<M, Block> block;
  };

  SpanningTree tree_;
  Notice notice_;
  std::vector<memory::PerThread<std::uint64_t>> own_; ///< episodes
  std::vector<std::vector<Complete>> complete_;       ///< by parent
  std::vector<std::vector<Word>> taken_;              ///< by parent
};

} // namespace algorithms::in_memory
