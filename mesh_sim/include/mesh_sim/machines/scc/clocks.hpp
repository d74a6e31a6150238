// SPDX-License-Identifier: Apache-2.0
// The simulated SCC's clocks of tiles and voltages of domains, and the energy that they cost.
//
// Invariant: a tile's cores, its MPB port and the ways of copies through that all go at the tile's present
// divider. It stands above the costs, the traffic and the copies, which it paces.
#pragma once

#include <vector>

#include "mesh_sim/machines/capabilities.hpp"
#include "mesh_sim/machines/scc/copies.hpp"
#include "mesh_sim/machines/scc/energy.hpp"

namespace mesh::scc {

class Clocks final : public Power {
 public:
  Clocks(Kernel& kernel, SccCosts& costs, Traffic& traffic, Copies& copies);
  Clocks(const Clocks&) = delete;
  Clocks& operator=(const Clocks&) = delete;

  [[nodiscard]] double global_clock_mhz() const noexcept override { return costs_.config().global_clock_mhz; }
  [[nodiscard]] int tile_divider(int tile) const noexcept override {
    return dividers_[static_cast<std::size_t>(tile)];
  }
  void set_tile_divider(int tile, int divider) override;
  void set_voltage(int domain, double volt) override;
  void energy(Statistics& to) const override;
  [[nodiscard]] Picoseconds latest() const noexcept; ///< clock of any core

 private:
  void pace(int tile, int divider);

  Kernel& kernel_;
  SccCosts& costs_;
  Traffic& traffic_;
  Copies& copies_;
  Energy energy_;
  std::vector<int> dividers_; ///< divider of each tile's clock
};

} // namespace mesh::scc
