// SPDX-License-Identifier: Apache-2.0
// The schedule of reduce/tagged, free of communication. Its idea, drawing, cost and source stand at the top
// of src/on_messages/reduce/tagged.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/shapes/awake_tree.hpp"

namespace algorithms::tagged_tree {

/// The role of one virtual rank; the root is 0.
struct Role {
  int parent = -1;           ///< -1: the root
  int slot = 0;              ///< which of its parent's children it is, from 0
  std::vector<int> children; ///< in the order in which they are taken
  /// Whom it tells that a part is over everywhere. Who is done first is told first: a rank hears of it when
  /// it has handed on its result. The root tells a leaf alone, before its first child is ready.
  std::vector<int> tells;
};

/// Made by every rank for itself, so it takes no more than a few steps for each rank.
class Shape {
 public:
  /// A line takes its writer about as long as its reader.
  explicit Shape(int ranks) : tree_(ranks, {.wake = 0, .step = 1, .latency = 1}), order_(at(ranks)) {
    // By the size of what is below: the number of each size, then where it begins.
    std::vector<int> next(at(ranks) + 1);
    for (int v = 1; v < ranks; ++v) ++next[at(tree_.size(v))];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), 1);
    for (int v = 1; v < ranks; ++v) order_[at(next[at(tree_.size(v))]++)] = v;
  }

  /// The most children of any rank.
  [[nodiscard]] int most_children() const {
    int most = 0;
    for (const int v : order_) {
      int children = 0;
      for (int child = v + 1; child < v + tree_.size(v); child += tree_.size(child)) ++children;
      most = std::max(most, children);
    }
    return most;
  }

  [[nodiscard]] Role role(int v) const {
    Role found;
    for (int node = 0; node != v;) {
      const std::vector<int> children = tree_.children(node);
      const auto next = std::upper_bound(children.begin(), children.end(), v) - 1;
      found.parent = node;
      found.slot = static_cast<int>(next - children.begin());
      node = *next;
    }
    found.children = tree_.children(v);
    const auto position = std::find(order_.begin(), order_.end(), v) - order_.begin();
    const auto ranks = static_cast<std::ptrdiff_t>(order_.size());
    if (v == 0) {
      if (ranks > 1) found.tells.push_back(order_[1]);
      return found;
    }
    // To tell and to be told takes not quite as long as to tell twice. So the tree is that of
    // shapes/fibonacci.hpp for a latency of 2: a rank hears from the one before it by the largest of
    // Fibonacci's numbers that leads to one.
    for (std::ptrdiff_t distance = 1, next = 2; position + distance < ranks;
         next += std::exchange(distance, next))
      if (position - 1 < next - distance)
        found.tells.push_back(order_[at(static_cast<int>(position + distance))]);
    return found;
  }

 private:
  [[nodiscard]] static std::size_t at(int number) { return static_cast<std::size_t>(number); }

  awake_tree::Shape tree_;
  std::vector<int> order_; ///< the root, then the others as they are done
};

} // namespace algorithms::tagged_tree
