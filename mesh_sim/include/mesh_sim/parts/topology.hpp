// SPDX-License-Identifier: Apache-2.0
// Shape of the chip: columns x rows tiles with some cores each, links between neighbours, routes, memory
// controllers. Pure functions of the shape; no time.
//
// A topology is a rule for how packets go along one row or column (topologies() in topology.cpp): `mesh` has
// links between neighbours only, `torus` closes each row and column to a ring and goes the shorter way round.
// Routing is dimension-ordered, rows first (xy) or columns first (yx), so a packet turns once.
//
// Freedom from deadlock. On a mesh dimension order suffices: links can be numbered so that every route climbs
// (Dally and Seitz, IEEE Trans. Computers C-36(5), 1987). A ring has a cycle of links, so a torus needs two
// virtual channels a link and a dateline, the wrap-around link: a packet enters a ring on channel 0 and goes
// on on channel 1 once it has crossed. Going the shorter way it crosses at most once, thus channels 0 in
// order, the dateline, channels 1 in order climb again, first in the rings of one dimension, then in those of
// the other. The model itself cannot deadlock: a packet holds one link at a time, for as long as it is
// served.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mesh_sim/units.hpp"

namespace mesh {

/// Port of a router towards its neighbour; x grows eastwards, y northwards (tile (0,0) is the lower left
/// corner).
enum class Port : std::uint8_t { east, west, north, south };
inline constexpr int ports_per_router = 4;

/// Coordinates of a tile.
struct Place {
  int x = 0, y = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// What tiles are connected by, and where the memory controllers stand.
struct Interconnect {
  std::string topology = "mesh"; ///< of topologies()
  bool columns_first = false;    ///< routing yx
  int controllers = 4;
  /// Where they stand, each serving the tiles that it is nearest to, the first of several. Empty: at the west
  /// and east ends of rows that divide the mesh evenly, each serving its half of the rows up to the next
  /// ones. Four of them are those of the SCC, in its quadrants: tiles (0,0), (5,0), (0,2), (5,2). Source:
  /// Intel sccKit 1.4.1, default LUT data.
  std::vector<Place> controller_tiles = {};
};

/// A rule for how packets go along a row or a column.
struct TopologyRule {
  std::string_view name;
  /// Links from one coordinate to another of `length`; negative: towards coordinate 0.
  int (*steps)(int from, int to, int length) noexcept;
};
[[nodiscard]] std::span<const TopologyRule> topologies() noexcept;

class Topology {
 public:
  /// Throws std::invalid_argument for a topology that there is not.
  Topology(int columns, int rows, int cores_per_tile, const Interconnect& interconnect = {});

  [[nodiscard]] int columns() const noexcept { return columns_; }
  [[nodiscard]] int rows() const noexcept { return rows_; }
  [[nodiscard]] int tiles() const noexcept { return columns_ * rows_; }
  [[nodiscard]] int cores() const noexcept { return tiles() * cores_per_tile_; }
  [[nodiscard]] int cores_per_tile() const noexcept { return cores_per_tile_; }

  [[nodiscard]] TileId tile_of(CoreId core) const noexcept {
    return TileId{tile_of_[static_cast<std::size_t>(index(core))]};
  }
  [[nodiscard]] int x(TileId tile) const noexcept { return x_[static_cast<std::size_t>(index(tile))]; }
  [[nodiscard]] int y(TileId tile) const noexcept { return y_[static_cast<std::size_t>(index(tile))]; }
  [[nodiscard]] TileId tile_at(int x, int y) const noexcept { return TileId{y * columns_ + x}; }
  [[nodiscard]] int hops(TileId a, TileId b) const noexcept {
    return std::abs(steps_x(x(a), x(b))) + std::abs(steps_y(y(a), y(b)));
  }

  [[nodiscard]] int controllers() const noexcept { return static_cast<int>(controller_tiles_.size()); }
  [[nodiscard]] int controller_of(TileId tile) const noexcept {
    return controller_of_[static_cast<std::size_t>(index(tile))];
  }
  [[nodiscard]] TileId controller_tile(int controller) const noexcept {
    return controller_tiles_[static_cast<std::size_t>(controller)];
  }

  /// Whether there is a tile at these coordinates.
  [[nodiscard]] bool contains(int x, int y) const noexcept {
    return x >= 0 && x < columns_ && y >= 0 && y < rows_;
  }

  /// Voltage domains are blocks of 2x2 tiles, as far as the mesh has them, numbered row by row. Source: Intel
  /// RCCE 2.0.
  static constexpr int domain_side = 2;
  [[nodiscard]] int voltage_domain_of(TileId tile) const noexcept {
    return x(tile) / domain_side + (columns_ + 1) / domain_side * (y(tile) / domain_side);
  }
  /// Which of its domain's tiles a tile is: 0 ... 3, row by row.
  [[nodiscard]] int place_in_domain(TileId tile) const noexcept {
    return x(tile) % domain_side + domain_side * (y(tile) % domain_side);
  }
  /// The tiles of a domain in the order of their numbers: one, two or four.
  [[nodiscard]] std::vector<TileId> tiles_of_domain(int domain) const;
  [[nodiscard]] int voltage_domains() const noexcept { return (columns_ + 1) / 2 * ((rows_ + 1) / 2); }

  /// Directed links are numbered by the tile they leave and the port: 4 * tile + port.
  [[nodiscard]] int links() const noexcept { return tiles() * ports_per_router; }
  [[nodiscard]] std::string link_name(int link) const;

  /// Calls visit(link) for every directed link from `from` to `to`, in order.
  template <class Visit>
  void route(TileId from, TileId to, Visit&& visit) const {
    Place at{x(from), y(from)};
    if (columns_first_) {
      along_column(at, steps_y(at.y, y(to)), visit);
      along_row(at, steps_x(at.x, x(to)), visit);
    } else {
      along_row(at, steps_x(at.x, x(to)), visit);
      along_column(at, steps_y(at.y, y(to)), visit);
    }
  }

 private:
  [[nodiscard]] int steps_x(int from, int to) const noexcept {
    return steps_x_[static_cast<std::size_t>(from * columns_ + to)];
  }
  [[nodiscard]] int steps_y(int from, int to) const noexcept {
    return steps_y_[static_cast<std::size_t>(from * rows_ + to)];
  }
  template <class Visit>
  void along_row(Place& at, int steps, Visit& visit) const {
    const auto port = static_cast<int>(steps > 0 ? Port::east : Port::west);
    for (int left = std::abs(steps); left > 0; --left) {
      visit(index(tile_at(at.x, at.y)) * ports_per_router + port);
      at.x = next(at.x, steps, columns_);
    }
  }
  template <class Visit>
  void along_column(Place& at, int steps, Visit& visit) const {
    const auto port = static_cast<int>(steps > 0 ? Port::north : Port::south);
    for (int left = std::abs(steps); left > 0; --left) {
      visit(index(tile_at(at.x, at.y)) * ports_per_router + port);
      at.y = next(at.y, steps, rows_);
    }
  }
  /// The neighbour of a coordinate, round the end where there is one.
  static int next(int at, int steps, int length) noexcept {
    if (steps > 0) return at + 1 == length ? 0 : at + 1;
    return at == 0 ? length - 1 : at - 1;
  }
  void place_controllers(const Interconnect& interconnect);

  int columns_, rows_, cores_per_tile_;
  bool columns_first_;
  // Tables: divisions and choices would show in the cost of every access.
  std::vector<int> tile_of_, x_, y_;
  std::vector<std::int16_t> steps_x_, steps_y_; ///< from one coordinate to another
  std::vector<TileId> controller_tiles_;
  std::vector<int> controller_of_; ///< by tile
};

} // namespace mesh
