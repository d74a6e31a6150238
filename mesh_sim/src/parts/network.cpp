// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/network.hpp"

#include <utility>

namespace mesh {

Network::Network(const Topology& topology, Turn& turn)
    : topology_(topology),
      tiles_(topology.tiles()),
      links_(resources(ResourceId::Kind::link, topology.links(), turn)) {
  constexpr int most_tiles = 64;
  if (topology.tiles() > most_tiles) return;
  std::vector<std::uint32_t> routes{0};
  for (int from = 0; from < topology.tiles(); ++from)
    for (int to = 0; to < topology.tiles(); ++to) {
      topology.route(TileId{from}, TileId{to},
                     [&](int number) { route_links_.push_back(static_cast<std::uint16_t>(number)); });
      routes.push_back(static_cast<std::uint32_t>(route_links_.size()));
    }
  routes_ = std::move(routes);
}

} // namespace mesh
