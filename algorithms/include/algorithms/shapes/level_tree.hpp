// SPDX-License-Identifier: Apache-2.0
// A tree of which every level has a fan-out of its own, free of communication: bcast/level_tree and
// reduce/level_tree in shared memory.
//
// n = 10, fan-outs 3 2:
//
//     level 0   0
//     level 1   1 2 3
//     level 2   4 5 | 6 7 | 8 9
//
// Source: Ramos, Hoefler: Modeling Communication in Cache-Coherent SMP Systems (2013), section 5.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace algorithms::level_tree {

/// Nodes that a tree of these fan-outs has room for; `most` where it is more.
[[nodiscard]] constexpr long capacity(std::span<const int> fan_outs, long most = 1L << 30) {
  long sum = 1, level = 1;
  for (const int fan_out : fan_outs) {
    level = std::min(most, level * fan_out);
    sum = std::min(most, sum + level);
  }
  return sum;
}

/// Ranks are numbered level by level. The order of operands is not that of ranks.
class Shape {
 public:
  /// The last fan-out is repeated as often as `ranks` need; there is at least one.
  Shape(int ranks, std::span<const int> fan_outs) : ranks_(ranks) {
    int width = 1, offset = 0;
    for (std::size_t level = 0; offset < ranks; ++level) {
      const int fan_out = fan_outs[std::min(level, fan_outs.size() - 1)];
      offsets_.push_back(offset);
      fan_outs_.push_back(fan_out);
      offset += width;
      width = static_cast<int>(std::min<long>(ranks, static_cast<long>(width) * fan_out));
    }
  }

  [[nodiscard]] int depth() const { return static_cast<int>(offsets_.size()) - 1; }
  [[nodiscard]] int level(int rank) const {
    return static_cast<int>(std::upper_bound(offsets_.begin(), offsets_.end(), rank) - offsets_.begin()) - 1;
  }
  /// The parent of a rank > 0.
  [[nodiscard]] int parent(int rank) const {
    const auto above = static_cast<std::size_t>(level(rank) - 1);
    return offsets_[above] + (rank - offsets_[above + 1]) / fan_outs_[above];
  }
  /// Which child of its parent a rank > 0 is.
  [[nodiscard]] int child_index(int rank) const { return rank - first_child(parent(rank)); }
  /// Its children are the ranks from this one on; may be beyond the last rank.
  [[nodiscard]] int first_child(int rank) const {
    const auto at = static_cast<std::size_t>(level(rank));
    if (at + 1 >= offsets_.size()) return ranks_;
    return offsets_[at + 1] + (rank - offsets_[at]) * fan_outs_[at];
  }
  [[nodiscard]] int children(int rank) const {
    return std::clamp(ranks_ - first_child(rank), 0, fan_outs_[static_cast<std::size_t>(level(rank))]);
  }

 private:
  int ranks_;
  std::vector<int> offsets_, fan_outs_; ///< by level
};

} // namespace algorithms::level_tree
