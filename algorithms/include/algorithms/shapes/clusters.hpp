// SPDX-License-Identifier: Apache-2.0
// The schedule of bcast/clusters, free of communication. Its idea, drawing, cost and source stand at the top
// of src/on_messages/bcast/clusters.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "algorithms/shapes/tile_mesh.hpp"

namespace algorithms::clusters {

inline constexpr std::size_t line = 32; ///< bytes of an MPB line
inline constexpr int most_hosts = 8;    ///< hosts of a cluster at most: two by two tiles of two cores
inline constexpr double growth = 1.5;   ///< growth of the first rounds

/// The ranks in clusters of neighbours: those of two by two tiles, and with them some of the next ones where
/// the ranks cannot be divided by eight. Members are numbered from 0; the first hosts() of them host data.
/// Keeps a number for each two by two tiles and none for each rank: every UE of a large mesh has one of
/// these.
class Clusters {
 public:
  /// `cores`: that of each rank, ascending, as RC_COREID has them. They have to outlive this.
  Clusters(std::span<const int> cores, const TileMesh& mesh)
      : Clusters(cores, mesh, std::min(static_cast<int>(cores.size()), most_hosts)) {}
  /// With so many hosts in each, and the tiles that it takes. `count`: of clusters; 0: as many as there can
  /// be.
  Clusters(std::span<const int> cores, const TileMesh& mesh, int hosts, int count = 0)
      : cores_(cores),
        mesh_(mesh),
        width_((mesh.columns + 1) / 2),
        ranks_(static_cast<int>(cores.size())),
        hosts_(hosts),
        count_(count > 0 ? count : ranks_ / hosts_) {
    const int rows = cores.back() / mesh.cores_per_tile / mesh.columns + 1;
    begins_.resize(static_cast<std::size_t>((rows + 1) / 2 * width_ + 1));
    int rank = 0;
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < width_; ++x) {
        const int first = rank, end = first_core(y, x + 1);
        while (rank < ranks_ && core(rank) < end) ++rank;
        begins_[static_cast<std::size_t>(block(y, x) + 1)] += rank - first;
      }
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int hosts() const { return hosts_; }
  [[nodiscard]] int members(int cluster) const { return begin(cluster + 1) - begin(cluster); }
  [[nodiscard]] int most_members() const { return (ranks_ + count_ - 1) / count_; }
  [[nodiscard]] int rank(int cluster, int member) const {
    const int place = begin(cluster) + member;
    const auto after = std::ranges::upper_bound(begins_, place);
    const int number = static_cast<int>(after - begins_.begin()) - 1, y = number / width_ * 2;
    const int x = column(y, number % width_), above = first_rank(y, x) + place - *(after - 1);
    const int left = above - first_rank(y, x + 1);
    return left < 0 ? above : first_rank(y + 1, x) + left;
  }
  [[nodiscard]] int cluster(int rank) const {
    const int at = place(rank);
    int found = at * count_ / ranks_;
    while (begin(found + 1) <= at) ++found;
    return found;
  }
  [[nodiscard]] int member(int rank) const { return place(rank) - begin(cluster(rank)); }

 private:
  // Rows of blocks of two by two tiles, to and fro. In a block ranks stand as they are numbered: those of its
  // upper row of tiles, y, then those of the lower one.
  [[nodiscard]] int column(int y, int x) const { return y / 2 % 2 == 0 ? x : width_ - 1 - x; }
  [[nodiscard]] int block(int y, int x) const { return y / 2 * width_ + column(y, x); }
  [[nodiscard]] int core(int rank) const { return cores_[static_cast<std::size_t>(rank)]; }
  /// The first core of the tiles in row y that belong to column x of the blocks.
  [[nodiscard]] int first_core(int y, int x) const {
    return (y * mesh_.columns + std::min(2 * x, mesh_.columns)) * mesh_.cores_per_tile;
  }
  /// The first one there or behind.
  [[nodiscard]] int first_rank(int y, int x) const {
    const int wanted = first_core(y, x);
    if (wanted < ranks_ && core(wanted) == wanted) return wanted; // no core before it is left out
    return static_cast<int>(std::ranges::lower_bound(cores_, wanted) - cores_.begin());
  }

  [[nodiscard]] int begin(int cluster) const { return cluster * ranks_ / count_; }
  [[nodiscard]] int place(int rank) const {
    const int tile = core(rank) / mesh_.cores_per_tile, y = tile / mesh_.columns,
              x = tile % mesh_.columns / 2;
    const int upper = y / 2 * 2, before = y == upper ? 0 : first_rank(upper, x + 1) - first_rank(upper, x);
    return begins_[static_cast<std::size_t>(block(y, x))] + before + rank - first_rank(y, x);
  }

  std::span<const int> cores_;
  TileMesh mesh_;
  int width_; ///< width of the mesh in blocks
  int ranks_, hosts_, count_;
  std::vector<int> begins_; ///< place of each block's first rank
};

struct Block {
  std::size_t offset; ///< in the message
  std::size_t bytes;  ///< may be 0
};

/// One segment for each host.
struct Round {
  std::size_t offset;      ///< place of its first byte in the message
  std::size_t bytes;       ///< > 0
  std::size_t block_bytes; ///< whole lines

  [[nodiscard]] constexpr Block block(int host) const { return blocks(host, 1); }
  /// The blocks of successive hosts as one.
  [[nodiscard]] constexpr Block blocks(int first, int count) const {
    const std::size_t begin = std::min(bytes, static_cast<std::size_t>(first) * block_bytes);
    return {offset + begin, std::min(bytes - begin, static_cast<std::size_t>(count) * block_bytes)};
  }
};

/// The rounds of a message in their order: its end comes first. Each host's segment has `first_bytes` in the
/// first round and `most_bytes` later on, both a line at least; rounds between them grow by a factor.
[[nodiscard]] inline std::vector<Round> rounds(std::size_t bytes, int hosts, std::size_t first_bytes,
                                               std::size_t most_bytes, double by = growth) {
  const auto width = static_cast<std::size_t>(hosts);
  const std::size_t most = most_bytes / line;
  std::vector<Round> result;
  auto wanted = static_cast<double>((first_bytes + line - 1) / line);
  std::size_t left = (bytes + line - 1) / line, end = bytes;
  for (; left > 0; wanted = std::min(wanted * by, static_cast<double>(most))) {
    const std::size_t block = std::min({most, static_cast<std::size_t>(wanted), (left + width - 1) / width});
    left -= std::min(left, block * width);
    result.push_back({left * line, end - left * line, block * line});
    end = left * line;
  }
  return result;
}

} // namespace algorithms::clusters
