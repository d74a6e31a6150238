// SPDX-License-Identifier: Apache-2.0
// Plans of schedules, a few numbers and trees: what a search moves through; builder.hpp makes
// schedules of them. Broadcasts have two families, which between them have what rows by hand do
// (algorithms/SCHEDULES.md draws them):
// - pushes: a tree; whoever has the message puts it into the buffers of its children. Short messages.
// - clusters: cores in clusters, each of whose hosts keeps a segment of the round for its mates. The root
// puts
//   the segments to the hosts of its own cluster; hosts of others get theirs from their counterpart in the
//   cluster above. With one cluster it is staged_pull's shape.
// Reductions have two as well:
// - sums: a tree; whoever has added what its children have hands it to its parent. An allreduce goes down
//   another tree.
// - owners: every core, or a few together, own a segment of each round. All put theirs into the owners'
//   buffers, in phases: first in groups whose members own a share of the vector together, then between the
//   members that own the same share. With one group it is the shape of reduce/owners.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "algorithms/schedules/format.hpp"
#include "algorithms/shapes/tile_mesh.hpp"

namespace algorithms::schedule {

/// A tree over places 0..n-1: the place of each one's parent, which comes before it; -1 for place 0. Children
/// are served in the order of their places.
using Tree = std::vector<int>;

/// The tree that informs most in a given time, where telling one takes `gap` and being told `delay` more,
/// both above 0 in the same unit.
[[nodiscard]] inline Tree postal_tree(int places, int gap, int delay) {
  Tree tree(static_cast<std::size_t>(std::max(places, 1)), -1);
  // When each may tell the next one, and who it is; the earliest first, of two the earlier place.
  std::vector<std::pair<int, int>> free{{0, 0}};
  const auto later = [](const auto& a, const auto& b) { return a > b; };
  for (int place = 1; place < places; ++place) {
    std::pop_heap(free.begin(), free.end(), later);
    auto& [time, teller] = free.back();
    tree[static_cast<std::size_t>(place)] = teller;
    time += gap;
    const int told = time + delay;
    std::push_heap(free.begin(), free.end(), later);
    free.emplace_back(told, place);
    std::push_heap(free.begin(), free.end(), later);
  }
  return tree;
}

/// `width` places in a row report to the first of them, and these to place 0.
[[nodiscard]] inline Tree two_level_tree(int places, int width) {
  Tree tree(static_cast<std::size_t>(std::max(places, 1)), -1);
  for (int place = 1; place < places; ++place)
    tree[static_cast<std::size_t>(place)] = (place - 1) % width == 0 ? 0 : (place - 1) / width * width + 1;
  return tree;
}

struct Pushes {
  Tree tree; ///< over places
};

struct Clusters {
  std::vector<int> sizes; ///< sizes of clusters, the root's first
  int hosts = 1;          ///< the first places of each cluster; at most its size
  Tree tree;              ///< over clusters
  Tree news;              ///< over the root's cluster, the root being place 0: who tells whom of a round
  Tree receipts;          ///< places of the root's cluster that report together
  int down = 0;           ///< gets from mates before the next round is handed down
  int meeting = 0; ///< how mates hear of each other: below 0: through trees as in the root's cluster; 0: each
                   ///< from each, else in rounds of doubling distance with `meeting` gets between them
  std::vector<int> starts; ///< by core: the segment that it gets first
  bool looks = false;      ///< a rank that would notify several shows a line that they poll
  bool copies = false;     ///< hosts copy from MPB to MPB, and get from their own later
  bool own_area = false;   ///< parts lie where nothing else does, and calls overlap
  bool news_first = true;  ///< hosts of the root's cluster tell it before they tell those below
};

struct Sums {
  Tree tree, result;        ///< over places: the way of operands, and that of an allreduce's result
  bool into_parent = false; ///< children put into their parent's buffer, else each into its own
  bool looks = false;       ///< a rank that would notify several shows a line that they poll
};

struct Owners {
  std::vector<int> sizes; ///< sizes of the groups of each phase
  int shared = 1; ///< cores that own a segment together; beyond these times the sizes, cores own nothing
};

struct Plan {
  Operation operation = Operation::bcast;
  int cores = 1;
  std::vector<int> order; ///< cores by place, their numbers if it is empty; the root first for pushes,
                          ///< clusters one behind the other else
  int first_bytes = 256, most_bytes = 4096, growth_percent = 150, parts = 2;
  std::variant<Pushes, Clusters, Sums, Owners> family;

  /// Null for another family.
  template <class Family>
  [[nodiscard]] const Family* as() const {
    return std::get_if<Family>(&family);
  }
};

/// Cores 0..cores-1, each alone where width is 0, else on blocks of `width` x `height` tiles, blocks in rows
/// to and fro, that of core 0 first; blocks that have less than `least` cores go together. Members from a
/// block's middle on. The plan is one of clusters.
inline void place_in_clusters(Plan& plan, const TileMesh& mesh, int width, int height, int least) {
  Clusters& clusters = std::get<Clusters>(plan.family);
  std::map<std::tuple<int, int>, std::vector<int>> blocks;
  for (int core = 0; core < plan.cores; ++core) {
    if (width == 0) {
      blocks[{0, core}] = {core};
      continue;
    }
    const int tile = core / mesh.cores_per_tile, x = tile % mesh.columns / width,
              y = tile / mesh.columns / height;
    blocks[{y, y % 2 == 0 ? x : mesh.columns - x}].push_back(core);
  }
  plan.order.clear(), clusters.sizes.clear();
  for (auto& [place, members] : blocks) {
    int left = 1 << 30, right = 0, top = 0, bottom = 1 << 30;
    for (const int core : members) {
      const int tile = core / mesh.cores_per_tile, x = tile % mesh.columns, y = tile / mesh.columns;
      left = std::min(left, x), right = std::max(right, x), bottom = std::min(bottom, y),
      top = std::max(top, y);
    }
    std::stable_sort(members.begin(), members.end(), [&](int a, int b) {
      const auto key = [&](int core) {
        const int tile = core / mesh.cores_per_tile, x = tile % mesh.columns, y = tile / mesh.columns;
        return std::tuple(core % mesh.cores_per_tile,
                          std::abs(2 * x - left - right) + std::abs(2 * y - bottom - top), core);
      };
      return key(a) < key(b);
    });
    if (!clusters.sizes.empty() && clusters.sizes.back() < least)
      clusters.sizes.back() += static_cast<int>(members.size());
    else
      clusters.sizes.push_back(static_cast<int>(members.size()));
    plan.order.insert(plan.order.end(), members.begin(), members.end());
  }
  if (clusters.sizes.size() > 1 && clusters.sizes.back() < least) {
    const int last = clusters.sizes.back();
    clusters.sizes.pop_back();
    clusters.sizes.back() += last;
  }
  clusters.hosts = std::min(clusters.hosts, *std::min_element(clusters.sizes.begin(), clusters.sizes.end()));
  clusters.tree = postal_tree(static_cast<int>(clusters.sizes.size()), 1, 3);
  clusters.news = postal_tree(clusters.sizes.front(), 1, 1);
  clusters.receipts = clusters.news;
  clusters.starts.clear();
  for (int core = 0; core < plan.cores; ++core)
    clusters.starts.push_back(core / mesh.cores_per_tile % clusters.hosts);
}

/// A plan that is right for any number of cores and any length, and good for some.
[[nodiscard]] inline Plan plain_plan(int cores, Operation operation = Operation::bcast) {
  Plan plan;
  plan.operation = operation;
  plan.cores = cores;
  plan.order.resize(static_cast<std::size_t>(cores));
  std::iota(plan.order.begin(), plan.order.end(), 0);
  const Tree tree = postal_tree(cores, 2, 1);
  if (operation == Operation::bcast)
    plan.family = Pushes{tree};
  else
    plan.family = Sums{tree, tree};
  return plan;
}

} // namespace algorithms::schedule
