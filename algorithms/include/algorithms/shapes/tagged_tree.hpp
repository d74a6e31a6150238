// SPDX-License-Identifier: Apache-2.0
// The schedule of reduce/tagged, free of communication. Its idea, drawing, cost and source stand at the top
// of src/on_messages/reduce/tagged.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "algorithms/shapes/awake_tree.hpp"
#include "algorithms/shapes/fibonacci.hpp"

namespace algorithms::tagged_tree {

/// What one virtual rank does; the root is 0.
struct Place {
  int parent = -1;           ///< -1: the root
  int slot = 0;              ///< which of its parent's children it is, from 0
  std::vector<int> children; ///< in the order in which they are taken
  /// Whom it tells that a part is over everywhere. Who is done first is told first: a rank hears of it when
  /// it has handed on its result. The root tells a leaf alone, before its first child is ready.
  std::vector<int> tells;
};

class Shape {
 public:
  explicit Shape(int ranks)
      : tree_(ranks, {.wake = 0, .step = 1, .latency = 1}), order_(static_cast<std::size_t>(ranks)) {
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin() + 1, order_.end(),
                     [&](int a, int b) { return tree_.size(a) < tree_.size(b); });
  }

  /// Of any rank.
  [[nodiscard]] int most_children() const {
    std::size_t most = 0;
    for (const int v : order_) most = std::max(most, tree_.children(v).size());
    return static_cast<int>(most);
  }

  [[nodiscard]] Place place(int v) const {
    Place found;
    for (int at = 0; at != v;) {
      const std::vector<int> children = tree_.children(at);
      const auto next = std::upper_bound(children.begin(), children.end(), v) - 1;
      found.parent = at;
      found.slot = static_cast<int>(next - children.begin());
      at = *next;
    }
    found.children = tree_.children(v);
    // To tell and to be told takes not quite as long as to tell twice.
    const std::vector<int> tellers = fibonacci::parents(static_cast<int>(order_.size()) - 1, 2);
    for (std::size_t i = 1; i < order_.size(); ++i)
      if (order_[static_cast<std::size_t>(tellers[i - 1] + 1)] == v) found.tells.push_back(order_[i]);
    return found;
  }

 private:
  awake_tree::Shape tree_;
  std::vector<int> order_; ///< the root, then the others as they are done
};

} // namespace algorithms::tagged_tree
