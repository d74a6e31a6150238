#include "mesh_sim/topology.hpp"

#include <fmt/format.h>

namespace mesh {

std::string Topology::link_name(int link) const {
  static constexpr std::array<const char*, ports_per_router> ports = {"east", "west", "north", "south"};
  const TileId tile{link / ports_per_router};
  return fmt::format("link({},{})->{}", x(tile), y(tile),
                     ports[static_cast<std::size_t>(link % ports_per_router)]);
}

} // namespace mesh
