// SPDX-License-Identifier: Apache-2.0
// The schedule of bcast/oc_tree, free of communication. Its idea, drawing, cost and source stand at the top
// of src/on_messages/bcast/oc_tree.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace algorithms::oc_tree {

inline constexpr int default_fan_out = 7; ///< the source's choice for short messages

struct Node {
  int parent = -1; ///< -1: root
  int teller = -1; ///< who says that the parent has the next chunk; the parent or a sibling
  std::vector<int> children;
  std::vector<int> tells;          ///< whom this rank tells: siblings first, then own children
  std::vector<bool> tells_sibling; ///< for each of them: at once, or when the own chunk is there
};

/// Position of a distance among ascending ones.
[[nodiscard]] inline int index_of(const std::vector<int>& distances, int distance) {
  return static_cast<int>(std::lower_bound(distances.begin(), distances.end(), distance) - distances.begin());
}

class Shape {
 public:
  Shape(int ranks, int fan_out) : nodes_(static_cast<std::size_t>(ranks)) {
    lead(0, ranks, std::max(1, fan_out));
    for (int v = 1; v < ranks; ++v) {
      add(parent_distances_, v - node(v).parent);
      add(teller_distances_, v - node(v).teller);
    }
  }

  [[nodiscard]] const Node& node(int v) const { return nodes_[static_cast<std::size_t>(v)]; }
  /// Ascending.
  [[nodiscard]] const std::vector<int>& parent_distances() const { return parent_distances_; }
  [[nodiscard]] const std::vector<int>& teller_distances() const { return teller_distances_; }

 private:
  Node& at(int v) { return nodes_[static_cast<std::size_t>(v)]; }

  void lead(int v, int span, int fan_out) {
    const int count = std::min(fan_out, span - 1);
    int next = v + 1;
    for (int i = 0; i < count; ++i) {
      const int share = (span - 1) / count + (i < (span - 1) % count ? 1 : 0);
      at(v).children.push_back(next);
      at(next).parent = v;
      next += share;
    }
    // Places 0 (the parent) and 1..count (the children): place p is told by place (p - 1) / 2.
    const std::vector<int> children = at(v).children;
    for (int place = 1; place <= count; ++place) {
      const int told = children[static_cast<std::size_t>(place - 1)], teller = (place - 1) / 2;
      const int who = teller == 0 ? v : children[static_cast<std::size_t>(teller - 1)];
      at(told).teller = who;
      at(who).tells.push_back(told);
      at(who).tells_sibling.push_back(teller != 0);
    }
    for (int i = 0; i < count; ++i) {
      const int child = children[static_cast<std::size_t>(i)];
      lead(child, (i + 1 < count ? children[static_cast<std::size_t>(i + 1)] : v + span) - child, fan_out);
    }
  }

  static void add(std::vector<int>& distances, int distance) {
    const auto at = std::lower_bound(distances.begin(), distances.end(), distance);
    if (at == distances.end() || *at != distance) distances.insert(at, distance);
  }

  std::vector<Node> nodes_;
  std::vector<int> parent_distances_, teller_distances_;
};

} // namespace algorithms::oc_tree
