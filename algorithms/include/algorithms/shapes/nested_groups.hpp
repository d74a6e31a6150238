// SPDX-License-Identifier: Apache-2.0
// The groups of allreduce/grouped_owners and reduce/nested_groups, free of communication. Their idea,
// drawing, cost and source stand at the top of src/on_messages/allreduce/grouped_owners.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/shapes/clusters.hpp"
#include "algorithms/shapes/grouped_owners.hpp"
#include "algorithms/shapes/tile_mesh.hpp"

namespace algorithms::nested_groups {

/// One group: those of its ranks that own a share come first.
struct Group {
  std::vector<int> ranks;
  int owners = 0;
  int self = 0; ///< the place in `ranks` of the rank that was asked for
};

/// Level 0 are clusters of neighbours. On further levels there are groups of those owners that have the same
/// place in their clusters, so the last level settles which lines a rank owns alone.
class Shape {
 public:
  /// `cores`: that of each rank, ascending; they have to outlive this. `sizes`: owners in a group of each
  /// level; their product is at most the number of ranks.
  Shape(std::span<const int> cores, const TileMesh& mesh, std::vector<int> sizes)
      : sizes_(std::move(sizes)),
        clusters_(cores, mesh, sizes_.front(), product(levels()) / sizes_.front()) {}

  [[nodiscard]] int levels() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] int most_members(int level) const {
    return level == 0 ? clusters_.most_members() : sizes_[static_cast<std::size_t>(level)];
  }
  /// Whoever owns nothing has a group on level 0 alone.
  [[nodiscard]] bool owns(int rank) const { return clusters_.member(rank) < clusters_.hosts(); }
  [[nodiscard]] Group group(int rank, int level) const {
    const int cluster = clusters_.cluster(rank), member = clusters_.member(rank);
    Group result;
    result.owners = sizes_[static_cast<std::size_t>(level)];
    if (level == 0) {
      result.self = member;
      for (int i = 0; i < clusters_.members(cluster); ++i) result.ranks.push_back(clusters_.rank(cluster, i));
      return result;
    }
    // Neighbouring clusters are in one group of level 1, for it moves more than the next ones.
    const int step = product(level) / sizes_.front();
    result.self = cluster / step % result.owners;
    for (int i = 0; i < result.owners; ++i)
      result.ranks.push_back(clusters_.rank(cluster + (i - result.self) * step, member));
    return result;
  }

 private:
  [[nodiscard]] int product(int levels) const {
    return std::accumulate(sizes_.begin(), sizes_.begin() + levels, 1, std::multiplies<>());
  }

  std::vector<int> sizes_;
  clusters::Clusters clusters_;
};

/// The sizes for a number of ranks, with clusters of so many owners or some more; 2 at least of both. As many
/// clusters as divide into small groups, and leave few ranks that own nothing: they make everybody of a
/// cluster combine an operand more.
[[nodiscard]] inline std::vector<int> sizes_for(int ranks, int cluster) {
  // Of combining an operand more, in the unit of groups_for(): puts and gets of a few lines. Chosen by hand:
  // any cost from 200 to 1,000 gives 95 of 100 numbers of ranks up to 2,048 the same clusters of 8.
  constexpr int cost_of_operand = 400;
  std::vector<int> best;
  for (int count = std::max(ranks / cluster, 1), most = count, least_cost = 0; 4 * count >= 3 * most;
       --count) {
    const int owners = ranks / count, members = (ranks + count - 1) / count;
    const schedule::Groups inner = schedule::groups_for(count);
    const int cost = inner.cost + (members - owners) * cost_of_operand / owners;
    if (!best.empty() && cost >= least_cost) continue;
    best = {owners};
    if (count > 1) best.insert(best.end(), inner.sizes.begin(), inner.sizes.end());
    least_cost = cost;
  }
  return best;
}

/// Some lines of the vector.
struct Range {
  std::size_t begin = 0, end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};
/// Share `number` of so many, all as long as whole lines allow.
[[nodiscard]] inline Range share(Range all, int number, int shares) {
  const auto border = [&](int of) {
    return all.begin + all.size() * static_cast<std::size_t>(of) / static_cast<std::size_t>(shares);
  };
  return {border(number), border(number + 1)};
}
/// The longest of them.
[[nodiscard]] inline std::size_t longest_share(std::size_t all, int shares) {
  return (all + static_cast<std::size_t>(shares) - 1) / static_cast<std::size_t>(shares);
}
/// The segment of a range that a turn moves: the last lines in turn 0. May be empty.
[[nodiscard]] inline Range segment(Range all, std::size_t turn, std::size_t lines) {
  const std::size_t end = all.end - std::min(all.size(), turn * lines);
  return {end - std::min(end - all.begin, lines), end};
}

} // namespace algorithms::nested_groups
