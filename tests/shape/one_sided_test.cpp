// SPDX-License-Identifier: Apache-2.0
// bcast/oc_tree, bcast/staged_pull, bcast/clusters and allreduce/grouped_owners: every rank is in the tree
// once, flags have one writer whatever the root, rounds hold every byte once and never more of a buffer than
// may be overwritten.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/shapes/clusters.hpp"
#include "algorithms/shapes/nested_groups.hpp"
#include "algorithms/shapes/oc_tree.hpp"
#include "algorithms/shapes/staged_pull.hpp"
#include "catch.hpp"

using algorithms::TileMesh;
namespace clusters = algorithms::clusters;
namespace nested_groups = algorithms::nested_groups;
namespace oc_tree = algorithms::oc_tree;
namespace staged_pull = algorithms::staged_pull;

namespace {

constexpr int most_ranks = 100;
constexpr int some_ranks[] = {1, 2, 3, 5, 7, 16, 47, 48, 1000, 1024};

template <typename T>
auto& at(T& list, int i) {
  return list.at(static_cast<std::size_t>(i));
}

} // namespace

TEST_CASE("oc_tree: every n and fan-out") {
  for (int ranks = 1; ranks <= most_ranks; ++ranks)
    for (const int fan_out : {1, 2, 3, 5, 7, 12, 24, 47, 99}) {
      CAPTURE(ranks, fan_out);
      const oc_tree::Shape shape(ranks, fan_out);
      std::vector<int> told(static_cast<std::size_t>(ranks), 0);
      for (int v = 0; v < ranks; ++v) {
        const oc_tree::Node node = shape.node(v);
        REQUIRE(static_cast<int>(node.children.size()) <= fan_out);
        for (const int child : node.children) REQUIRE(shape.node(child).parent == v);
        if (v > 0) {
          REQUIRE(node.parent >= 0);
          REQUIRE(node.parent < v);
          const oc_tree::Node teller = shape.node(node.teller);
          REQUIRE(std::count(teller.tells.begin(), teller.tells.end(), v) == 1);
          // A sibling can tell only what it was told itself: the chain ends at the parent.
          REQUIRE((node.teller == node.parent || teller.parent == node.parent));
          REQUIRE(node.teller < v);
        }
        for (std::size_t i = 0; i < node.tells.size(); ++i) {
          ++told.at(static_cast<std::size_t>(node.tells[i]));
          REQUIRE(node.tells_sibling[i] == (shape.node(node.tells[i]).parent != v));
        }
        REQUIRE(std::count(node.tells_sibling.begin(), node.tells_sibling.end(), false) <= 2);
      }
      for (int v = 1; v < ranks; ++v) REQUIRE(told.at(static_cast<std::size_t>(v)) == 1);
      std::set<int> to_parents, to_tellers;
      for (int v = 1; v < ranks; ++v) {
        to_parents.insert(v - shape.node(v).parent);
        to_tellers.insert(v - shape.node(v).teller);
      }
      REQUIRE(std::ranges::equal(shape.parent_distances(), to_parents));
      REQUIRE(std::ranges::equal(shape.teller_distances(), to_tellers));
    }
}

TEST_CASE("staged_pull: stages are different ranks, first one of each tile, and few are the first of many") {
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const std::vector<int> all = staged_pull::stages(ranks, most_ranks);
    CAPTURE(ranks);
    REQUIRE(static_cast<int>(all.size()) == ranks);
    std::set<int> seen, tiles;
    for (const int rank : all) {
      REQUIRE(rank >= 0);
      REQUIRE(rank < ranks);
      REQUIRE(seen.insert(rank).second);
      tiles.insert(rank / 2);
      REQUIRE((rank % 2 == 1 || tiles.size() == seen.size()));
      REQUIRE((rank % 2 == 0 || static_cast<int>(tiles.size()) == (ranks + 1) / 2));
    }
    for (std::size_t count = 1; count <= all.size(); ++count)
      REQUIRE(staged_pull::stages(ranks, static_cast<int>(count)) ==
              std::vector<int>(all.begin(), all.begin() + static_cast<long>(count)));
    for (const std::size_t bytes : {1U, 2048U, 16384U, 4000000U}) {
      const int own = staged_pull::stage_count(ranks, bytes);
      REQUIRE(own >= 1);
      REQUIRE(own <= std::min(staged_pull::most_stages, (ranks + 1) / 2));
      for (int asked = 0; asked <= most_ranks + 1; ++asked) {
        const int count = staged_pull::stage_count(ranks, bytes, asked);
        REQUIRE(count == (asked == 0 ? own : std::min(asked, ranks)));
        REQUIRE(count <= staged_pull::flagged_stages(ranks, asked));
      }
    }
  }
  for (const int ranks : {47, 48, 1000, 10000})
    for (const TileMesh mesh : {TileMesh{}, TileMesh{32, 2}, TileMesh{7, 3}}) {
      CAPTURE(ranks, mesh.columns);
      const std::vector<int> few = staged_pull::stages(ranks, 7, mesh);
      const int tiles = (ranks + mesh.cores_per_tile - 1) / mesh.cores_per_tile;
      const int columns = std::min(tiles, mesh.columns), rows = (tiles + mesh.columns - 1) / mesh.columns;
      std::vector<std::pair<int, int>> by_distance;
      for (int tile = 0; tile < tiles; ++tile)
        by_distance.emplace_back(std::abs(2 * (tile % mesh.columns) - columns + 1) +
                                     std::abs(2 * (tile / mesh.columns) - rows + 1),
                                 tile * mesh.cores_per_tile);
      std::sort(by_distance.begin(), by_distance.end());
      // Ring by ring; of a ring's tiles the first one, the last, the second, the last but one ...
      std::vector<int> rings;
      for (std::size_t begin = 0; rings.size() < 7;) {
        std::size_t end = begin;
        while (end < by_distance.size() && by_distance[end].first == by_distance[begin].first) ++end;
        for (std::size_t first = begin, last = end; first < last;) {
          rings.push_back(by_distance[first++].second);
          if (first < last) rings.push_back(by_distance[--last].second);
        }
        begin = end;
      }
      for (int i = 0; i < 7; ++i) REQUIRE(at(few, i) == at(rings, i));
    }
  // The middle of the chip: tiles (2,1), (3,2), (3,1), (2,2).
  CHECK(staged_pull::stages(48, 4) == std::vector<int>{16, 30, 18, 28});
}

TEST_CASE("staged_pull: rounds hold every byte once, inside the area, and slots suffice") {
  for (int stages = 1; stages <= 48; ++stages)
    for (const std::size_t area : {64U, 96U, 320U, 2000U, 4032U, 7968U, 8032U})
      for (const std::size_t bytes :
           {1U,    31U,   32U,   33U,   64U,   700U,   767U,   768U,   2047U,  2048U,   4095U,   4096U,
            4097U, 8031U, 8032U, 8033U, 8192U, 20000U, 31999U, 32000U, 32001U, 100001U, 190000U, 1900000U}) {
        CAPTURE(stages, area, bytes);
        const auto rounds = staged_pull::rounds(bytes, stages, area);
        REQUIRE_FALSE(rounds.empty());
        const std::size_t half = area / 2 / 32 * 32;
        // A message that many stages hold at once may fill their areas whole.
        const bool fits = (bytes + 31) / 32 <= static_cast<std::size_t>(stages) * (area / 32);
        if (stages > staged_pull::most_stages && fits) REQUIRE(rounds.size() == 1);
        const std::size_t most = rounds.size() == 1 ? area : half;
        std::size_t end = bytes;
        std::map<int, int> in_group;
        std::size_t used = 0;
        for (std::size_t i = 0; i < rounds.size(); ++i) {
          const staged_pull::Round& round = rounds[i];
          REQUIRE(round.bytes > 0);
          REQUIRE(round.offset + round.bytes == end); // from the end to the start, without gaps
          REQUIRE(round.offset % 32 == 0);
          end = round.offset;
          const int before = i == 0 ? -1 : rounds[i - 1].group;
          REQUIRE((round.group == before + 1 || (round.group == before && !round.opens_group)));
          REQUIRE(round.opens_group == (round.group != before));
          if (round.opens_group) used = 0;
          REQUIRE(round.place == static_cast<std::size_t>(round.group % 2) * half + used);
          used += round.block_bytes;
          REQUIRE(used <= most);
          ++in_group[round.group];
          std::size_t sum = 0;
          for (int stage = 0; stage < stages; ++stage) {
            const auto block = round.block(stage);
            REQUIRE(block.bytes <= round.block_bytes);
            REQUIRE((block.bytes == 0 || block.offset == round.offset + sum));
            sum += block.bytes;
          }
          REQUIRE(sum == round.bytes);
        }
        REQUIRE(end == 0);
        for (const auto& [group, count] : in_group) {
          const auto next = in_group.find(group + 1);
          REQUIRE(count + (next == in_group.end() ? 0 : next->second) <= staged_pull::slots);
        }
      }
}

TEST_CASE("clusters: every rank is a member once, whichever cores the ranks have") {
  for (int ranks = 1; ranks <= 2 * most_ranks; ++ranks)
    for (const TileMesh mesh : {TileMesh{}, TileMesh{32, 2}, TileMesh{7, 3}})
      for (const int stride : {1, 3, 199}) { // 199: spread over 1,009 cores, a prime
        CAPTURE(ranks, mesh.columns, stride);
        std::vector<int> cores(static_cast<std::size_t>(ranks));
        for (int rank = 0; rank < ranks; ++rank) at(cores, rank) = rank * stride % 1009;
        std::ranges::sort(cores);
        const clusters::Clusters all(cores, mesh);
        REQUIRE(all.hosts() == std::min(ranks, clusters::most_hosts));
        std::set<int> seen;
        for (int cluster = 0; cluster < all.count(); ++cluster) {
          REQUIRE(all.members(cluster) >= all.hosts());
          REQUIRE(all.members(cluster) <= all.most_members());
          for (int member = 0; member < all.members(cluster); ++member) {
            const int rank = all.rank(cluster, member);
            REQUIRE(seen.insert(rank).second);
            REQUIRE(all.cluster(rank) == cluster);
            REQUIRE(all.member(rank) == member);
          }
        }
        REQUIRE(static_cast<int>(seen.size()) == ranks);
        REQUIRE(all.most_members() < 2 * clusters::most_hosts);
      }
}

TEST_CASE("clusters: members are two hops apart at most where the mesh has even sides") {
  for (const auto& [columns, rows] : {std::pair{6, 4}, std::pair{16, 8}, std::pair{8, 50}}) {
    CAPTURE(columns, rows);
    std::vector<int> cores(static_cast<std::size_t>(2 * columns * rows));
    std::iota(cores.begin(), cores.end(), 0);
    const clusters::Clusters all(cores, {columns, 2});
    for (int cluster = 0; cluster < all.count(); ++cluster)
      for (int a = 0; a < all.members(cluster); ++a)
        for (int b = 0; b < a; ++b) {
          const int one = all.rank(cluster, a) / 2, other = all.rank(cluster, b) / 2;
          REQUIRE(std::abs(one % columns - other % columns) + std::abs(one / columns - other / columns) <= 2);
        }
  }
}

TEST_CASE("clusters: rounds hold every byte once, from the end, and grow to the room that there is") {
  for (const std::size_t bytes : {1u, 31u, 32u, 33u, 255u, 256u, 257u, 8192u, 190'000u, 1'900'001u})
    for (const int hosts : {1, 2, 5, 8})
      for (const std::size_t first : {1u, 32u, 256u, 4096u})
        for (const std::size_t most : {32u, 992u, 2432u}) {
          CAPTURE(bytes, hosts, first, most);
          std::size_t end = bytes, before = 0;
          const std::vector<clusters::Round> rounds = clusters::rounds(bytes, hosts, first, most);
          for (std::size_t i = 0; i < rounds.size(); ++i) {
            const clusters::Round& round = rounds[i];
            REQUIRE(round.bytes > 0);
            REQUIRE(round.offset + round.bytes == end);
            REQUIRE(round.block_bytes % clusters::line == 0);
            REQUIRE(round.block_bytes <= most);
            REQUIRE((i + 1 == rounds.size() || round.block_bytes >= before));
            before = round.block_bytes;
            std::size_t next = round.offset;
            for (int host = 0; host < hosts; ++host) {
              const clusters::Block block = round.block(host);
              REQUIRE((block.bytes == 0 || block.offset == next));
              REQUIRE(block.bytes <= round.block_bytes);
              next += block.bytes;
            }
            REQUIRE(next == end);
            end = round.offset;
          }
          REQUIRE(end == 0);
        }
}

TEST_CASE(
    "nested groups: every line has one owner, who is told of it by all, whichever cores the ranks have") {
  for (const int ranks : {2, 3, 5, 8, 19, 47, 48, 127, 128, 255, 1000})
    for (const int cluster : {2, 3, 8, 16, 48}) {
      CAPTURE(ranks, cluster);
      std::vector<int> cores(static_cast<std::size_t>(ranks));
      for (int rank = 0; rank < ranks; ++rank) cores[static_cast<std::size_t>(rank)] = rank + rank / 7;
      const std::vector<int> sizes = nested_groups::sizes_for(ranks, cluster);
      const nested_groups::Shape shape(cores, {32, 2}, sizes);
      REQUIRE(shape.levels() == static_cast<int>(sizes.size()));
      // In the end each line is owned once, by somebody who has it from all clusters.
      constexpr std::size_t lines = 1001;
      std::vector<int> owners(lines, 0);
      for (int rank = 0; rank < ranks; ++rank) {
        nested_groups::Range range{0, lines};
        for (int level = 0; level < (shape.owns(rank) ? shape.levels() : 1); ++level) {
          const nested_groups::Group group = shape.group(rank, level);
          REQUIRE(group.ranks[static_cast<std::size_t>(group.self)] == rank);
          REQUIRE(group.ranks.size() > 1);
          REQUIRE(static_cast<int>(group.ranks.size()) <= shape.most_members(level));
          REQUIRE(group.owners == sizes[static_cast<std::size_t>(level)]);
          for (const int mate : group.ranks) REQUIRE(shape.group(mate, level).ranks == group.ranks);
          if (!shape.owns(rank)) continue;
          const nested_groups::Range own = nested_groups::share(range, group.self, group.owners);
          REQUIRE(own.size() <= nested_groups::longest_share(range.size(), group.owners));
          range = own;
        }
        for (std::size_t i = range.begin; shape.owns(rank) && i < range.end; ++i) ++owners[i];
      }
      REQUIRE(owners == std::vector<int>(lines, 1));
    }
}

TEST_CASE("nested groups: segments of a range are all of it, from its end") {
  const nested_groups::Range all{5, 22};
  std::size_t end = all.end;
  for (std::size_t turn = 0; turn < 4; ++turn) {
    const nested_groups::Range segment = nested_groups::segment(all, turn, 6);
    REQUIRE(segment.end == end);
    REQUIRE(segment.size() == std::min<std::size_t>(6, end - all.begin));
    end = segment.begin;
  }
  REQUIRE(end == all.begin);
}
