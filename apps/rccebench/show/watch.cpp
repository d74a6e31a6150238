// SPDX-License-Identifier: Apache-2.0
#include "show/watch.hpp"

#include <algorithm>
#include <cstdint>

namespace rccebench::show {

void take_edges(Recording& recording, const mesh::Rounds& rounds,
                const std::map<int, mesh::RoundWindow>& windows) {
  std::vector<mesh::RoundWindow> all;
  mesh::Picoseconds begin = INT64_MAX;
  for (const auto& [core, window] : windows) {
    all.push_back(window);
    begin = std::min(begin, window.begin);
  }
  std::map<int, int> rank_of;
  for (int rank = 0; rank < recording.ranks(); ++rank)
    rank_of[recording.places[static_cast<std::size_t>(rank)].core] = rank;
  recording.edges = rounds.edges(all);
  for (mesh::RoundEdge& edge : recording.edges) {
    edge.from = rank_of.at(edge.from);
    edge.to = rank_of.at(edge.to);
    edge.begin = std::max<mesh::Picoseconds>(edge.begin - begin, 0);
    edge.end -= begin;
  }
  for (const mesh::RoundWindow& window : all) recording.end = std::max(recording.end, window.end - begin);
}

} // namespace rccebench::show
