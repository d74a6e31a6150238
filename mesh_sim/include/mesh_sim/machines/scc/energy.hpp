// SPDX-License-Identifier: Apache-2.0
// Energy estimate per voltage domain. A tile at voltage V and clock f draws its share of the chip's
//   P = dynamic * V^2 * f + static * V,
// whose two constants meet the two published points of the chip (25 W at 0.7 V and 125 MHz, 125 W at 1.14 V
// and 1 GHz; Howard et al., ISSCC 2010). Mesh and memory controllers are inside the published figures and so
// inside the estimate; what the cores execute is not looked at.
#pragma once

#include <vector>

#include "mesh_sim/machines/scc/config.hpp"
#include "mesh_sim/parts/topology.hpp"

namespace mesh {

class Energy {
 public:
  Energy(const MachineConfig& config, const Topology& topology);

  /// The tile's clock has this divider from now on.
  void set_divider(int tile, int divider, Picoseconds now) noexcept;
  void set_voltage(int domain, double volt, Picoseconds now) noexcept;

  /// Joules of a domain from the start until `now`.
  [[nodiscard]] double joules(int domain, Picoseconds now) const noexcept;
  [[nodiscard]] double volt(int domain) const noexcept;

 private:
  struct Tile {
    int domain;
    int divider;
    double volt;
    Picoseconds since = 0;
    double joules = 0;
  };
  [[nodiscard]] double watts(const Tile& tile) const noexcept;
  void account(Tile& tile, Picoseconds now) const noexcept;

  double dynamic_, static_, global_clock_mhz_;
  std::vector<Tile> tiles_;
};

} // namespace mesh
