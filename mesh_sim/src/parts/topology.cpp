// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/topology.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace mesh {

namespace {

int steps_of_mesh(int from, int to, int) noexcept {
  return to - from;
}

/// The shorter way round. Of two equally long ones even coordinates take that upwards, odd ones that
/// downwards, so that both directions carry the same.
int steps_of_torus(int from, int to, int length) noexcept {
  const int up = (to - from + length) % length;
  if (2 * up == length) return from % 2 == 0 ? up : -up;
  return 2 * up < length ? up : up - length;
}

constexpr std::array rules = {
    TopologyRule{"mesh", steps_of_mesh},
    TopologyRule{"torus", steps_of_torus},
};

std::vector<std::int16_t> steps_of(std::string_view topology, int length) {
  const auto rule = std::find_if(rules.begin(), rules.end(),
                                 [topology](const TopologyRule& one) { return one.name == topology; });
  if (rule == rules.end()) throw std::invalid_argument(fmt::format("topology '{}'", topology));
  std::vector<std::int16_t> steps;
  for (int from = 0; from < length; ++from)
    for (int to = 0; to < length; ++to)
      steps.push_back(static_cast<std::int16_t>(rule->steps(from, to, length)));
  return steps;
}

} // namespace

std::span<const TopologyRule> topologies() noexcept {
  return rules;
}

Topology::Topology(int columns, int rows, int cores_per_tile, const Interconnect& interconnect)
    : columns_(columns),
      rows_(rows),
      cores_per_tile_(cores_per_tile),
      columns_first_(interconnect.columns_first),
      steps_x_(steps_of(interconnect.topology, columns)),
      steps_y_(steps_of(interconnect.topology, rows)) {
  for (int core = 0; core < columns * rows * cores_per_tile; ++core)
    tile_of_.push_back(core / cores_per_tile);
  for (int tile = 0; tile < columns * rows; ++tile) {
    x_.push_back(tile % columns);
    y_.push_back(tile / columns);
  }
  place_controllers(interconnect);
}

void Topology::place_controllers(const Interconnect& interconnect) {
  for (const Place& place : interconnect.controller_tiles)
    controller_tiles_.push_back(tile_at(place.x, place.y));
  if (!controller_tiles_.empty()) {
    for (int tile = 0; tile < tiles(); ++tile) {
      int nearest = 0;
      for (int other = 1; other < controllers(); ++other)
        if (hops(TileId{tile}, controller_tile(other)) < hops(TileId{tile}, controller_tile(nearest)))
          nearest = other;
      controller_of_.push_back(nearest);
    }
    return;
  }
  const int count = interconnect.controllers, pairs = (count + 1) / 2;
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

std::vector<TileId> Topology::tiles_of_domain(int domain) const {
  std::vector<TileId> found;
  for (int tile = 0; tile < tiles(); ++tile)
    if (voltage_domain_of(TileId{tile}) == domain) found.push_back(TileId{tile});
  return found;
}

std::string Topology::link_name(int link) const {
  static constexpr std::array<const char*, ports_per_router> ports = {"east", "west", "north", "south"};
  const TileId tile{link / ports_per_router};
  return fmt::format("link({},{})->{}", x(tile), y(tile),
                     ports[static_cast<std::size_t>(link % ports_per_router)]);
}

} // namespace mesh
