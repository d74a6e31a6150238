// SPDX-License-Identifier: Apache-2.0
// The tree of reduce/awake_tree, free of communication. Its idea, drawing, cost and limits stand at the top
// of on_cards/reduce/awake_tree.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace algorithms::awake_tree {

/// Times in any unit, as whole numbers.
struct Costs {
  std::int64_t wake;    ///< from a node's first message to its first step
  std::int64_t step;    ///< > 0: taking and combining one message
  std::int64_t latency; ///< from a node's end to its message at the parent
};

/// The tree over ranks 0 .. ranks-1 with root 0 that is done first, if all leaves begin at 0: to 1/64 of a
/// step. A rank and those below it are consecutive ranks, and children come in ascending order.
class Shape {
 public:
  Shape(int ranks, const Costs& costs)
      : costs_(costs), enough_(ranks), below_(static_cast<std::size_t>(ranks), 1) {
    if (ranks == 1) return;
    std::int64_t least = 0, most = deadline(0, 1, true) * -1;
    while (!suffices(most)) {
      least = most;
      most += most / 8 + 1;
    }
    // To a fraction of a step: a tree that is done no more than that after the first possible one.
    while (most - least > costs.step / 64 + 1) {
      const std::int64_t middle = least + (most - least) / 2;
      (suffices(middle) ? most : least) = middle;
    }
    time_ = most;
    bound_ = least + 1;
    members_.clear();
    build(0, ranks, time_);
    members_.clear();
  }

  /// When the root is done.
  [[nodiscard]] std::int64_t time() const { return time_; }
  /// No tree of that many ranks is done before.
  [[nodiscard]] std::int64_t bound() const { return bound_; }
  /// Ranks of the tree below a rank, itself included.
  [[nodiscard]] int size(int rank) const { return below_[static_cast<std::size_t>(rank)]; }
  /// In the order in which they are combined.
  [[nodiscard]] std::vector<int> children(int rank) const {
    std::vector<int> all;
    for (int child = rank + 1; child < rank + size(rank); child += size(child)) all.push_back(child);
    return all;
  }
  /// The parents of all ranks; the root's is -1.
  [[nodiscard]] std::vector<int> parents() const {
    std::vector<int> all(below_.size(), -1);
    for (int rank = 0; rank < static_cast<int>(below_.size()); ++rank)
      for (const int child : children(rank)) all[static_cast<std::size_t>(child)] = rank;
    return all;
  }

 private:
  [[nodiscard]] bool suffices(std::int64_t time) {
    members_.clear();
    return members(time) >= enough_;
  }

  /// When the child that is the n-th from the last, n = 1, 2 ..., has to be done; the first of all also waits
  /// for the wake-up.
  [[nodiscard]] std::int64_t deadline(std::int64_t time, std::int64_t n, bool first) const {
    return time - n * costs_.step - costs_.latency - (first ? costs_.wake : 0);
  }

  /// Most members of a tree that is done by then: as many children as there is time for, each as large as it
  /// can be.
  [[nodiscard]] std::int64_t members(std::int64_t time) {
    if (time < 0) return 0;
    if (deadline(time, 1, true) < 0) return 1;
    const auto known = members_.find(time);
    if (known != members_.end()) return known->second;
    std::int64_t count = 1, n = 1;
    for (; deadline(time, n + 1, true) >= 0 && count < enough_; ++n)
      count += members(deadline(time, n, false));
    if (count < enough_) count += members(deadline(time, n, true));
    count = std::min(count, enough_);
    members_[time] = count;
    return count;
  }

  /// Gives `count` ranks from `first` on a tree that is done by then: no more children than that takes, the
  /// last ones the largest.
  void build(int first, int count, std::int64_t time) {
    below_[static_cast<std::size_t>(first)] = count;
    if (count == 1) return;
    std::int64_t children = 1, before = 0;
    while (1 + before + members(deadline(time, children, true)) < count) {
      before += members(deadline(time, children, false));
      ++children;
    }
    std::vector<int> sizes;
    std::int64_t left = count - 1;
    for (std::int64_t n = 1; n <= children; ++n) {
      const std::int64_t size = std::min(members(deadline(time, n, n == children)), left - (children - n));
      sizes.push_back(static_cast<int>(size));
      left -= size;
    }
    int rank = first + 1;
    for (std::int64_t n = children; n >= 1; --n) {
      const int size = sizes[static_cast<std::size_t>(n - 1)];
      build(rank, size, deadline(time, n, n == children));
      rank += size;
    }
  }

  Costs costs_;
  std::int64_t enough_; ///< members that are asked for: more are not counted
  std::int64_t time_ = 0, bound_ = 0;
  std::vector<int> below_;
  std::unordered_map<std::int64_t, std::int64_t> members_; ///< by time
};

} // namespace algorithms::awake_tree
