// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/network.hpp"

#include <utility>

namespace mesh {

Network::Network(const Topology& topology, Picoseconds mesh_cycle, const LinkPace& usual, Turn& turn)
    : topology_(topology),
      tiles_(topology.tiles()),
      usual_(usual),
      links_(resources(ResourceId::Kind::link, topology.links(), turn)) {
  if (const Graph* const graph = topology.graph()) {
    bool uneven = false;
    for (int number = 0; number < graph->links(); ++number) {
      const JoinedRouters& link = graph->link(number);
      const LinkPace& pace = paces_.emplace_back(mesh_cycle, link.cycles, link.bytes);
      uneven = uneven || pace.hop != usual.hop || pace.header_bytes != usual.header_bytes;
    }
    if (uneven) return;
    paces_.clear();
  }
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
