// SPDX-License-Identifier: Apache-2.0
// The schedule of bcast/staged_pull, free of communication. Its idea, drawing, cost and source stand at the
// top of src/on_messages/bcast/staged_pull.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "algorithms/shapes/tile_mesh.hpp"

namespace algorithms::staged_pull {

inline constexpr std::size_t line = 32; ///< bytes of an MPB line
inline constexpr int slots = 8;         ///< rounds that may be announced and not yet taken note of
inline constexpr int most_stages = 4;   ///< most stages by default; more only on request
/// Growth of the first rounds: a get takes 1.5 to 1.6 times a put's time.
inline constexpr double growth = 1.45;

/// The ranks whose MPBs hold the message on its way: one core on each of the `count` tiles nearest to the
/// middle of the part of the mesh that is in use, then the tiles' other cores in the same order. Of tiles
/// equally near, those on opposite sides follow each other, so that two are as far from all corners. Rank =
/// core number. Fewer where there are fewer ranks.
[[nodiscard]] inline std::vector<int> stages(int ranks, int count, const TileMesh& mesh = {}) {
  const int tiles = (ranks + mesh.cores_per_tile - 1) / mesh.cores_per_tile;
  const int width = std::min(tiles, mesh.columns), height = (tiles + mesh.columns - 1) / mesh.columns;
  std::vector<int> order;
  const auto wanted = static_cast<std::size_t>(std::min(count, tiles));
  // By twice the distance to the middle, to stay with whole numbers.
  for (int off = 0; order.size() < wanted; ++off) {
    std::vector<int> ring;
    for (int row = 0; row < height; ++row) {
      const int aside = off - std::abs(2 * row - (height - 1));
      if (aside < 0 || (width - 1 - aside) % 2 != 0) continue;
      for (const int column : {(width - 1 - aside) / 2, (width - 1 + aside) / 2}) {
        const int tile = row * mesh.columns + column;
        const bool twice = !ring.empty() && ring.back() == tile;
        if (column >= 0 && column < width && tile < tiles && !twice) ring.push_back(tile);
      }
    }
    for (std::size_t i = 0; i < ring.size(); ++i)
      order.push_back(i % 2 == 0 ? ring[i / 2] : ring[ring.size() - 1 - i / 2]);
  }
  std::vector<int> result;
  for (int core = 0; core < mesh.cores_per_tile; ++core)
    for (const int tile : order)
      if (const int rank = tile * mesh.cores_per_tile + core; rank < ranks) result.push_back(rank);
  result.resize(static_cast<std::size_t>(std::min(count, ranks)));
  return result;
}

/// How many stages a message takes; 1 means the root's own MPB and none else. More of them share the readers'
/// load and hold longer rounds, and take longer to fill before the first reader may begin. The borders are
/// where simulated times on preset scc cross.
[[nodiscard]] constexpr int stage_count(int ranks, std::size_t bytes, const TileMesh& mesh = {}) {
  const int tiles = (ranks + mesh.cores_per_tile - 1) / mesh.cores_per_tile;
  const int wanted = bytes * static_cast<std::size_t>(ranks) < 65536 ? 1 : bytes < 65536 ? 2 : most_stages;
  return std::min(wanted, tiles);
}

/// The same where `asked` stages are asked for; 0: none are.
[[nodiscard]] constexpr int stage_count(int ranks, std::size_t bytes, int asked, const TileMesh& mesh = {}) {
  return asked > 0 ? std::min(asked, ranks) : stage_count(ranks, bytes, mesh);
}

/// For how many stages there are flags; `asked` as above.
[[nodiscard]] constexpr int flagged_stages(int ranks, int asked) {
  return std::max(most_stages, std::min(asked, ranks));
}

struct Round {
  std::size_t offset;      ///< place of its first byte in the message
  std::size_t bytes;       ///< > 0
  std::size_t block_bytes; ///< each stage holds so many of them, the last ones less or none
  std::size_t place;       ///< place in a stage's area
  int group;               ///< groups use the halves of the area in turn
  bool opens_group;        ///< first round of its group

  struct Block {
    std::size_t offset; ///< in the message
    std::size_t bytes;  ///< may be 0
  };
  [[nodiscard]] constexpr Block block(int stage) const {
    const std::size_t begin = std::min(bytes, static_cast<std::size_t>(stage) * block_bytes);
    return {offset + begin, std::min(bytes - begin, block_bytes)};
  }
};

/// As few rounds as the areas allow: a group is one round, and a message that fits into all of them together
/// is one group, which then may fill the areas whole.
[[nodiscard]] inline std::vector<Round> few_rounds(std::size_t bytes, int stages, std::size_t area_bytes) {
  const auto width = static_cast<std::size_t>(stages);
  const std::size_t half = area_bytes / 2 / line, lines = (bytes + line - 1) / line;
  const std::size_t most = lines <= width * (area_bytes / line) ? area_bytes / line : half;
  std::vector<Round> result;
  std::size_t end = bytes;
  for (std::size_t left = lines; left > 0;) {
    const std::size_t block = std::min(most, (left + width - 1) / width);
    const auto group = static_cast<int>(result.size());
    left -= std::min(left, block * width);
    result.push_back({left * line, end - left * line, block * line,
                      static_cast<std::size_t>(group % 2) * half * line, group, true});
    end = left * line;
  }
  return result;
}

/// The rounds of a message through `stages` areas of `area_bytes` each, in their order: the message's end
/// comes first. `area_bytes` is at least two lines. At most `slots` rounds lie in two consecutive groups.
[[nodiscard]] inline std::vector<Round> rounds(std::size_t bytes, int stages, std::size_t area_bytes) {
  if (stages > most_stages) return few_rounds(bytes, stages, area_bytes);
  const auto width = static_cast<std::size_t>(stages);
  const std::size_t half = area_bytes / 2 / line; // lines of each stage that a group may fill
  const std::size_t lines = (bytes + line - 1) / line;
  const auto group_lines = static_cast<double>(half * width), all = static_cast<double>(lines);

  // The first rounds grow, so that everybody begins early and the root's puts keep ahead of the gets.
  const int growing = lines < 24 ? 1
      : lines < 40               ? 2
      : lines < 80               ? 3
      : lines < 144              ? 4
      : lines < 200              ? 5
                                 : 6;
  const double last_two = growth * growth + growth * growth * growth;
  double shares = 0, share = 1;
  for (int i = 0; i < growing; ++i, share *= growth) shares += share;
  double wanted = std::min(all / shares, group_lines / last_two);

  std::vector<Round> result;
  std::size_t left = lines, place = 0; // place: in lines of an area's half
  for (int group = 0, in_group = 0; left > 0; wanted = std::min(wanted * growth, group_lines / 2)) {
    if (in_group == slots / 2 || place == half) ++group, in_group = 0, place = 0;
    const std::size_t ahead = left + width - 1;
    std::size_t block = std::min(
        {static_cast<std::size_t>(wanted / static_cast<double>(width) + 1), half - place, ahead / width});
    if (in_group + 1 == slots / 2 && group > 0) block = std::min(half - place, ahead / width);
    if (group == 0 && static_cast<int>(result.size()) + 1 == growing)
      block = std::min(half - place, ahead / width);
    const std::size_t taken = std::min(left, block * width);
    const std::size_t end = std::min(bytes, left * line);
    left -= taken;
    result.push_back({left * line, end - left * line, block * line,
                      (static_cast<std::size_t>(group % 2) * half + place) * line, group, in_group == 0});
    place += block;
    ++in_group;
  }
  return result;
}

} // namespace algorithms::staged_pull
