// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/topology.hpp"

#include <utility>

namespace mesh {

namespace {

/// Columns or rows that the routers lie in.
int extent(const Graph& graph, int Coordinates::*coordinate) {
  int most = 0;
  for (int router = 0; router < graph.routers(); ++router)
    most = std::max(most, graph.place(router).*coordinate);
  return most + 1;
}

} // namespace

Topology::Topology(std::shared_ptr<const Routes> routes, int columns, int rows, int tiles, int cores_per_tile)
    : routes_(std::move(routes)),
      columns_(columns),
      rows_(rows),
      tiles_(tiles),
      cores_per_tile_(cores_per_tile),
      tile_at_(static_cast<std::size_t>(columns * rows), -1) {
  for (int core = 0; core < tiles * cores_per_tile; ++core) tile_of_.push_back(core / cores_per_tile);
}

Topology::Topology(int columns, int rows, int cores_per_tile, const Interconnect& interconnect)
    : Topology(std::make_shared<const Grid>(columns, rows, interconnect.topology, interconnect.columns_first),
               columns, rows, columns * rows, cores_per_tile) {
  grid_ = static_cast<const Grid*>(routes_.get());
  most_hops_ = columns + rows;
  for (int tile = 0; tile < tiles_; ++tile) {
    x_.push_back(tile % columns);
    y_.push_back(tile / columns);
    tile_at_[static_cast<std::size_t>(tile)] = tile;
  }
  if (interconnect.controller_tiles.empty())
    place_at_edges(interconnect.controllers);
  else
    place_controllers(interconnect.controller_tiles);
}

Topology::Topology(std::shared_ptr<const Graph> graph, int tiles, int cores_per_tile,
                   const std::vector<Coordinates>& controller_tiles)
    : Topology(graph, extent(*graph, &Coordinates::x), extent(*graph, &Coordinates::y), tiles,
               cores_per_tile) {
  graph_ = graph.get();
  for (int tile = 0; tile < tiles; ++tile) {
    const Coordinates place = graph->place(tile);
    x_.push_back(place.x);
    y_.push_back(place.y);
    int& there = tile_at_[static_cast<std::size_t>(place.y * columns_ + place.x)];
    if (there < 0) there = tile;
    for (int other = 0; other < tiles; ++other) {
      most_hops_ = std::max(most_hops_, graph->hops(tile, other));
      most_cycles_ = std::max(most_cycles_, graph->cycles(tile, other));
    }
  }
  place_controllers(controller_tiles);
}

void Topology::place_controllers(const std::vector<Coordinates>& tiles) {
  for (const Coordinates& place : tiles) controller_tiles_.push_back(tile_at(place.x, place.y));
  const auto there_and_back = [&](int tile, int controller) {
    const TileId a{tile}, b = controller_tile(controller);
    return std::pair{cycles(a, b, 1) + cycles(b, a, 1), hops(a, b) + hops(b, a)};
  };
  for (int tile = 0; tile < tiles_; ++tile) {
    int nearest = 0;
    for (int other = 1; other < controllers(); ++other)
      if (there_and_back(tile, other) < there_and_back(tile, nearest)) nearest = other;
    controller_of_.push_back(nearest);
  }
}

void Topology::place_at_edges(int count) {
  const int pairs = (count + 1) / 2;
  const auto first_row = [&](int pair) { return (pair * rows_ + pairs - 1) / pairs; };
  for (int controller = 0; controller < count; ++controller)
    controller_tiles_.push_back(
        tile_at(controller % 2 == 0 ? 0 : columns_ - 1, first_row(controller / 2) % rows_));
  for (int tile = 0; tile < tiles(); ++tile) {
    const int east = x(TileId{tile}) >= (columns_ + 1) / 2 ? 1 : 0;
    int pair = pairs - 1;
    while (y(TileId{tile}) < first_row(pair)) --pair;
    controller_of_.push_back(std::min(2 * pair + east, count - 1));
  }
}

} // namespace mesh
