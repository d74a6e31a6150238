// SPDX-License-Identifier: Apache-2.0
// Tiles with some cores each at the routers of a network (routes.hpp), and memory controllers at some of
// them. Pure functions of the shape; no time.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "mesh_sim/parts/routes.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

/// The network between tiles, and the places of the memory controllers.
struct Interconnect {
  std::string topology = "mesh"; ///< a name of grid_rules()
  bool columns_first = false;    ///< routing yx
  int controllers = 4;
  /// The places of the memory controllers, each serving the tiles that it is nearest to, the first of
  /// several. Empty: at the west and east ends of rows that divide the mesh evenly, each serving its half of
  /// the rows up to the next ones. Four of them are those of the SCC, in its quadrants: tiles (0,0), (5,0),
  /// (0,2), (5,2). Source: Intel sccKit 1.4.1, default LUT data.
  std::vector<Coordinates> controller_tiles = {};
};

class Topology {
 public:
  /// A grid, each of whose routers is a tile. Throws std::invalid_argument for a rule that there is not.
  Topology(int columns, int rows, int cores_per_tile, const Interconnect& interconnect = {});
  /// The first `tiles` routers of a graph are tiles, the others switches. Controllers stand at those places.
  Topology(std::shared_ptr<const Graph> graph, int tiles, int cores_per_tile,
           const std::vector<Coordinates>& controller_tiles);

  [[nodiscard]] const std::shared_ptr<const Routes>& routes() const noexcept { return routes_; }
  [[nodiscard]] bool is_grid() const noexcept { return grid_ != nullptr; }
  /// The graph that is no grid; null on a grid.
  [[nodiscard]] const Graph* graph() const noexcept { return graph_; }

  /// That all routers lie in.
  [[nodiscard]] int columns() const noexcept { return columns_; }
  [[nodiscard]] int rows() const noexcept { return rows_; }
  [[nodiscard]] int tiles() const noexcept { return tiles_; }
  [[nodiscard]] int cores() const noexcept { return tiles() * cores_per_tile_; }
  [[nodiscard]] int cores_per_tile() const noexcept { return cores_per_tile_; }

  [[nodiscard]] TileId tile_of(CoreId core) const noexcept {
    return TileId{tile_of_[static_cast<std::size_t>(index(core))]};
  }
  [[nodiscard]] int x(TileId tile) const noexcept { return x_[static_cast<std::size_t>(index(tile))]; }
  [[nodiscard]] int y(TileId tile) const noexcept { return y_[static_cast<std::size_t>(index(tile))]; }
  /// The first tile at these coordinates, where contains().
  [[nodiscard]] TileId tile_at(int x, int y) const noexcept {
    return TileId{tile_at_[static_cast<std::size_t>(y * columns_ + x)]};
  }
  [[nodiscard]] int hops(TileId a, TileId b) const noexcept {
    return grid_ != nullptr ? grid_->hops(index(a), index(b)) : graph_->hops(index(a), index(b));
  }
  /// No route has more links.
  [[nodiscard]] int most_hops() const noexcept { return most_hops_; }
  /// Mesh cycles from one tile to another, `router_cycles` a hop where links have none of their own.
  [[nodiscard]] Cycles cycles(TileId a, TileId b, Cycles router_cycles) const noexcept {
    return graph_ != nullptr ? graph_->cycles(index(a), index(b)) : router_cycles * hops(a, b);
  }
  /// No route takes more.
  [[nodiscard]] Cycles most_cycles(Cycles router_cycles) const noexcept {
    return graph_ != nullptr ? most_cycles_ : router_cycles * most_hops_;
  }

  [[nodiscard]] int controllers() const noexcept { return static_cast<int>(controller_tiles_.size()); }
  [[nodiscard]] int controller_of(TileId tile) const noexcept {
    return controller_of_[static_cast<std::size_t>(index(tile))];
  }
  [[nodiscard]] TileId controller_tile(int controller) const noexcept {
    return controller_tiles_[static_cast<std::size_t>(controller)];
  }

  /// True if there is a tile at these coordinates.
  [[nodiscard]] bool contains(int x, int y) const noexcept {
    return x >= 0 && x < columns_ && y >= 0 && y < rows_ && index(tile_at(x, y)) >= 0;
  }

  [[nodiscard]] int links() const noexcept { return routes_->links(); }
  [[nodiscard]] std::string link_name(int link) const { return routes_->link_name(link); }

  /// Calls visit(link) for every directed link from `from` to `to`, in order.
  template <class Visit>
  void route(TileId from, TileId to, Visit&& visit) const {
    if (grid_ != nullptr)
      grid_->walk(index(from), index(to), visit);
    else
      graph_->walk(index(from), index(to), visit);
  }

 private:
  Topology(std::shared_ptr<const Routes> routes, int columns, int rows, int tiles, int cores_per_tile);
  void place_controllers(const std::vector<Coordinates>& tiles);
  void place_at_edges(int count);

  std::shared_ptr<const Routes> routes_;
  const Grid* grid_ = nullptr; ///< one of both is routes_
  const Graph* graph_ = nullptr;
  int columns_, rows_, tiles_, cores_per_tile_;
  int most_hops_ = 0;
  Cycles most_cycles_ = 0; ///< on a graph
  // Tables: divisions and choices would show in the cost of every access.
  std::vector<int> tile_of_, x_, y_;
  std::vector<int> tile_at_; ///< by place; -1: none
  std::vector<TileId> controller_tiles_;
  std::vector<int> controller_of_; ///< by tile
};

} // namespace mesh
