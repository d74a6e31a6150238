// SPDX-License-Identifier: Apache-2.0
// A round as text on the mesh: ranks on their tiles, and the links that its edges take.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "mesh_sim/parts/topology.hpp"
#include "mesh_sim/terminal.hpp"
#include "show/recording.hpp"

namespace rccebench::show {

/// The tiles of a round with their ranks, and what goes over the links between them.
class MeshDrawing {
 public:
  MeshDrawing(const Recording& recording, int round, bool colours)
      : recording_(recording), mesh_(*recording.mesh), colours_(colours) {
    digits_ = fmt::format("{}", recording.ranks() - 1).size();
    ranks_.resize(static_cast<std::size_t>(mesh_.tiles()));
    for (int rank = 0; rank < recording.ranks(); ++rank)
      ranks_[static_cast<std::size_t>(tile_of(rank))].push_back(rank);
    for (const RoundEdge& edge : recording.edges_of(round)) {
      gives_.insert(edge.from);
      gets_.insert(edge.to);
      const int from = tile_of(edge.from), to = tile_of(edge.to);
      if (from == to)
        (edge.from < edge.to ? up_ : down_).insert(from);
      else
        mesh_.route(mesh::TileId{from}, mesh::TileId{to}, [&](int link) { links_.insert(link); });
    }
  }

  /// Characters of a line.
  [[nodiscard]] static std::size_t width_of(const Recording& recording) {
    const mesh::Topology& mesh = *recording.mesh;
    const std::size_t digits = fmt::format("{}", recording.ranks() - 1).size();
    return 2 + static_cast<std::size_t>(mesh.columns()) * cell(digits, mesh.cores_per_tile()) +
        static_cast<std::size_t>(mesh.columns() - 1) * link_width;
  }

  /// Row 0 stands at the bottom, as on the chip. Rows above the last rank are left out.
  [[nodiscard]] std::string text() const {
    int top = 0;
    for (int rank = 0; rank < recording_.ranks(); ++rank)
      top = std::max(top, recording_.places[static_cast<std::size_t>(rank)].y);
    for (const int link : links_) top = std::max(top, link / mesh::ports_per_router / mesh_.columns());
    std::string all;
    for (int y = top; y >= 0; --y) {
      std::string row = "  ";
      for (int x = 0; x < mesh_.columns(); ++x) {
        row += tile(tile_at(x, y));
        if (x + 1 < mesh_.columns()) row += between(tile_at(x, y), tile_at(x + 1, y));
      }
      all += trimmed(row);
      if (y > 0) all += below(y);
    }
    return all;
  }

 private:
  using Colour = mesh::Colour;
  using RoundEdge = mesh::RoundEdge;
  static constexpr int link_width = 3;

  [[nodiscard]] static std::size_t cell(std::size_t digits, int cores) {
    return 2 + static_cast<std::size_t>(cores) * (digits + 1) - 1;
  }
  [[nodiscard]] int tile_of(int rank) const {
    const RankPlace& place = recording_.places[static_cast<std::size_t>(rank)];
    return tile_at(place.x, place.y);
  }
  [[nodiscard]] int tile_at(int x, int y) const { return index(mesh_.tile_at(x, y)); }
  [[nodiscard]] bool takes(int tile, mesh::Port port) const {
    return links_.contains(tile * mesh::ports_per_router + static_cast<int>(port));
  }
  static std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
  }

  [[nodiscard]] std::string tile(int tile) const {
    const auto& ranks = ranks_[static_cast<std::size_t>(tile)];
    std::string text = "[";
    for (int i = 0; i < mesh_.cores_per_tile(); ++i) {
      if (i > 0)
        text += up_.contains(tile) && down_.contains(tile) ? "↔"
            : up_.contains(tile)                           ? "→"
            : down_.contains(tile)                         ? "←"
                                                           : " ";
      if (static_cast<std::size_t>(i) >= ranks.size()) {
        text += std::string(digits_, ' ');
        continue;
      }
      const int rank = ranks[static_cast<std::size_t>(i)];
      const std::string number = fmt::format("{:>{}}", rank, digits_);
      text += gets_.contains(rank) ? mesh::coloured(number, Colour::green, colours_)
          : gives_.contains(rank)  ? mesh::coloured(number, Colour::yellow, colours_)
                                   : number;
    }
    return text + "]";
  }

  [[nodiscard]] std::string between(int west, int east) const {
    const bool eastwards = takes(west, mesh::Port::east), westwards = takes(east, mesh::Port::west);
    const char* const text = eastwards && westwards ? "◀─▶" : eastwards ? "──▶" : westwards ? "◀──" : "   ";
    return mesh::coloured(text, Colour::cyan, colours_ && (eastwards || westwards));
  }

  /// The links between a row and the one below it.
  [[nodiscard]] std::string below(int y) const {
    const std::size_t one = cell(digits_, mesh_.cores_per_tile());
    std::string row = "  ";
    for (int x = 0; x < mesh_.columns(); ++x) {
      const bool down = takes(tile_at(x, y), mesh::Port::south),
                 up = takes(tile_at(x, y - 1), mesh::Port::north);
      const std::string text = up && down ? "▲▼" : up ? "▲ " : down ? " ▼" : "  ";
      const std::size_t left = (one - 2) / 2;
      row += std::string(left, ' ') + mesh::coloured(text, Colour::cyan, colours_ && (up || down)) +
          std::string(one - 2 - left + (x + 1 < mesh_.columns() ? link_width : 0), ' ');
    }
    return trimmed(row);
  }

  const Recording& recording_;
  const mesh::Topology& mesh_;
  bool colours_;
  std::size_t digits_;
  std::vector<std::vector<int>> ranks_; ///< by tile
  std::set<int> gives_, gets_, links_;
  std::set<int> up_, down_; ///< tiles in which an edge goes to the higher rank, the lower
};

} // namespace rccebench::show
