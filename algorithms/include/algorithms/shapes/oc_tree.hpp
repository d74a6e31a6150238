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

  void tell(int whom, bool sibling) {
    tells.push_back(whom);
    tells_sibling.push_back(sibling);
  }
};

/// Position of a distance among ascending ones.
[[nodiscard]] inline int index_of(const std::vector<int>& distances, int distance) {
  return static_cast<int>(std::lower_bound(distances.begin(), distances.end(), distance) - distances.begin());
}

/// Keeps the distances in the tree and no node: every UE of a large mesh has one of these.
class Shape {
 public:
  Shape(int ranks, int fan_out) : ranks_(ranks), fan_out_(std::max(1, fan_out)) { add_distances(ranks); }

  [[nodiscard]] Node node(int v) const {
    Node result;
    int top = 0, span = ranks_;
    while (top != v) {
      const Children children(span, fan_out_);
      int place = 1;
      while (place < children.count && top + children.place(place + 1) <= v) ++place;
      const int self = top + children.place(place);
      if (self == v) {
        result.parent = top;
        result.teller = top + children.place(Children::teller(place));
        for (int told = 2 * place + 1; told <= std::min(2 * place + 2, children.count); ++told)
          result.tell(top + children.place(told), true);
      }
      span = children.span(place);
      top = self;
    }
    const Children children(span, fan_out_);
    for (int place = 1; place <= children.count; ++place) {
      result.children.push_back(v + children.place(place));
      if (Children::teller(place) == 0) result.tell(result.children.back(), false);
    }
    return result;
  }
  /// Ascending.
  [[nodiscard]] const std::vector<int>& parent_distances() const { return parent_distances_; }
  [[nodiscard]] const std::vector<int>& teller_distances() const { return teller_distances_; }

 private:
  /// Those of a node that leads `span` ranks, itself included. Place 0 is the node, places 1..count are its
  /// children; place p is told by place (p - 1) / 2.
  struct Children {
    Children(int span, int fan_out)
        : count(std::min(fan_out, span - 1)),
          share(count == 0 ? 0 : (span - 1) / count),
          larger(count == 0 ? 0 : (span - 1) % count) {}

    [[nodiscard]] static int teller(int place) { return (place - 1) / 2; }
    /// As a distance from the node.
    [[nodiscard]] int place(int p) const {
      return p == 0 ? 0 : 1 + (p - 1) * share + std::min(p - 1, larger);
    }
    /// Ranks that a child leads.
    [[nodiscard]] int span(int p) const { return share + (p <= larger ? 1 : 0); }

    int count;
    int share, larger; ///< the first `larger` children lead one more
  };

  /// Adds the distances at and below a node that leads `span` ranks. Subtrees of one span are alike.
  void add_distances(int span) {
    if (!add(spans_, span)) return;
    const Children children(span, fan_out_);
    for (int place = 1; place <= children.count; ++place) {
      add(parent_distances_, children.place(place));
      add(teller_distances_, children.place(place) - children.place(Children::teller(place)));
    }
    if (children.count == 0) return;
    add_distances(children.span(1));
    add_distances(children.span(children.count));
  }

  /// False: it is there already.
  static bool add(std::vector<int>& ascending, int value) {
    const auto at = std::ranges::lower_bound(ascending, value);
    if (at != ascending.end() && *at == value) return false;
    ascending.insert(at, value);
    return true;
  }

  int ranks_, fan_out_;
  std::vector<int> spans_, parent_distances_, teller_distances_;
};

} // namespace algorithms::oc_tree
