// SPDX-License-Identifier: Apache-2.0
// The schedule of bcast/clusters, free of communication. Its idea, drawing, cost and source stand at the top
// of src/on_messages/bcast/clusters.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/shapes/tile_mesh.hpp"

namespace algorithms::clusters {

inline constexpr std::size_t line = 32; ///< bytes of an MPB line
inline constexpr int most_hosts = 8;    ///< of a cluster: two by two tiles of two cores
inline constexpr double growth = 1.5;   ///< of the first rounds

/// The ranks in clusters of neighbours: those of two by two tiles, and with them some of the next ones where
/// the ranks cannot be divided by eight. Members are numbered from 0; the first hosts() of them host data.
class Clusters {
 public:
  /// `cores`: that of each rank.
  Clusters(std::span<const int> cores, const TileMesh& mesh)
      : ranks_(static_cast<int>(cores.size())),
        hosts_(std::min(ranks_, most_hosts)),
        count_(ranks_ / hosts_),
        order_(cores.size()),
        place_(cores.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    // Rows of blocks of two by two tiles, to and fro.
    const auto key = [&](int rank) {
      const int core = cores[static_cast<std::size_t>(rank)], tile = core / mesh.cores_per_tile;
      const int x = tile % mesh.columns, y = tile / mesh.columns;
      return std::array{y / 2, y / 2 % 2 == 0 ? x / 2 : mesh.columns - x / 2, y % 2, x % 2, core};
    };
    std::ranges::sort(order_, {}, key);
    for (int i = 0; i < ranks_; ++i)
      place_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])] = i;
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int hosts() const { return hosts_; }
  [[nodiscard]] int members(int cluster) const { return begin(cluster + 1) - begin(cluster); }
  [[nodiscard]] int most_members() const { return (ranks_ + count_ - 1) / count_; }
  [[nodiscard]] int rank(int cluster, int member) const {
    return order_[static_cast<std::size_t>(begin(cluster) + member)];
  }
  [[nodiscard]] int cluster(int rank) const {
    int found = place(rank) * count_ / ranks_;
    while (begin(found + 1) <= place(rank)) ++found;
    return found;
  }
  [[nodiscard]] int member(int rank) const { return place(rank) - begin(cluster(rank)); }

 private:
  [[nodiscard]] int begin(int cluster) const { return cluster * ranks_ / count_; }
  [[nodiscard]] int place(int rank) const { return place_[static_cast<std::size_t>(rank)]; }

  int ranks_, hosts_, count_;
  std::vector<int> order_, place_; ///< ranks by place, places by rank
};

struct Block {
  std::size_t offset; ///< in the message
  std::size_t bytes;  ///< may be 0
};

/// One piece for each host.
struct Round {
  std::size_t offset;      ///< of its first byte in the message
  std::size_t bytes;       ///< > 0
  std::size_t block_bytes; ///< whole lines

  [[nodiscard]] constexpr Block block(int host) const { return blocks(host, 1); }
  /// Of hosts one behind the other.
  [[nodiscard]] constexpr Block blocks(int first, int count) const {
    const std::size_t begin = std::min(bytes, static_cast<std::size_t>(first) * block_bytes);
    return {offset + begin, std::min(bytes - begin, static_cast<std::size_t>(count) * block_bytes)};
  }
};

/// The rounds of a message in their order: its end comes first. Each host's piece has `first_bytes` in the
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
