// Shape of the chip: a columns x rows mesh of tiles with some cores each, X-then-Y routes, memory controllers
// by quadrant. Pure functions of the shape; no time.
#pragma once

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "mesh_sim/units.hpp"

namespace mesh {

/// Port of a router towards its neighbour; x grows eastwards, y northwards (tile (0,0) is the lower left
/// corner).
enum class Port : std::uint8_t { east, west, north, south };
inline constexpr int ports_per_router = 4;

class Topology {
 public:
  static constexpr int controllers = 4;

  Topology(int columns, int rows, int cores_per_tile);

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
    return std::abs(x(a) - x(b)) + std::abs(y(a) - y(b));
  }

  /// Controllers stand at the west and east ends of row 0 and of the middle row, and serve the quadrant
  /// around them: tiles (0,0), (5,0), (0,2), (5,2) on the SCC. Source: Intel sccKit 1.4.1, default LUT data.
  [[nodiscard]] int controller_of(TileId tile) const noexcept {
    const int east = x(tile) >= (columns_ + 1) / 2 ? 1 : 0;
    const int upper = y(tile) >= (rows_ + 1) / 2 ? 2 : 0;
    return upper + east;
  }
  [[nodiscard]] TileId controller_tile(int controller) const noexcept {
    return tile_at((controller & 1) != 0 ? columns_ - 1 : 0,
                   (controller & 2) != 0 ? (rows_ + 1) / 2 % rows_ : 0);
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

  /// Calls visit(link) for every directed link from `from` to `to`, along the row first, then along the
  /// column.
  template <class Visit>
  void route(TileId from, TileId to, Visit&& visit) const {
    int tile = index(from);
    const int dx = x(to) - x(from), dy = y(to) - y(from);
    const int step_x = dx > 0 ? 1 : -1, step_y = dy > 0 ? columns_ : -columns_;
    const auto port_x = static_cast<int>(dx > 0 ? Port::east : Port::west);
    const auto port_y = static_cast<int>(dy > 0 ? Port::north : Port::south);
    for (int i = std::abs(dx); i > 0; --i, tile += step_x) visit(tile * ports_per_router + port_x);
    for (int i = std::abs(dy); i > 0; --i, tile += step_y) visit(tile * ports_per_router + port_y);
  }

 private:
  int columns_, rows_, cores_per_tile_;
  std::vector<int> tile_of_, x_, y_; // tables: divisions would show in the cost of every access
};

} // namespace mesh
