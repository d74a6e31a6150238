#include "mesh_sim/parts/topology.hpp"

#include <fmt/format.h>

namespace mesh {

Topology::Topology(int columns, int rows, int cores_per_tile)
    : columns_(columns), rows_(rows), cores_per_tile_(cores_per_tile) {
  for (int core = 0; core < columns * rows * cores_per_tile; ++core)
    tile_of_.push_back(core / cores_per_tile);
  for (int tile = 0; tile < columns * rows; ++tile) {
    x_.push_back(tile % columns);
    y_.push_back(tile / columns);
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
