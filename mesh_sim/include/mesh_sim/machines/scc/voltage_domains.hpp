// SPDX-License-Identifier: Apache-2.0
// Voltage domains: blocks of 2x2 tiles, as far as the mesh has them, numbered row by row. Source: Intel RCCE
// 2.0.
#pragma once

#include <vector>

#include "mesh_sim/parts/topology.hpp"

namespace mesh::scc {

inline constexpr int domain_side = 2;

[[nodiscard]] inline int voltage_domain_of(const Topology& topology, TileId tile) noexcept {
  return topology.x(tile) / domain_side +
      (topology.columns() + 1) / domain_side * (topology.y(tile) / domain_side);
}
[[nodiscard]] inline int voltage_domains(const Topology& topology) noexcept {
  return (topology.columns() + 1) / domain_side * ((topology.rows() + 1) / domain_side);
}
/// Which of its domain's tiles a tile is: 0 ... 3, row by row.
[[nodiscard]] inline int place_in_domain(const Topology& topology, TileId tile) noexcept {
  return topology.x(tile) % domain_side + domain_side * (topology.y(tile) % domain_side);
}
/// The tiles of a domain in the order of their numbers: one, two or four.
[[nodiscard]] inline std::vector<TileId> tiles_of_domain(const Topology& topology, int domain) {
  std::vector<TileId> found;
  for (int tile = 0; tile < topology.tiles(); ++tile)
    if (voltage_domain_of(topology, TileId{tile}) == domain) found.push_back(TileId{tile});
  return found;
}

} // namespace mesh::scc
