// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/energy.hpp"

#include "mesh_sim/machines/scc/voltage_domains.hpp"

namespace mesh {

Energy::Energy(const MachineConfig& config, const Topology& topology)
    : dynamic_(config.power_dynamic_w / topology.tiles()),
      static_(config.power_static_w / topology.tiles()),
      global_clock_mhz_(config.global_clock_mhz) {
  for (int tile = 0; tile < topology.tiles(); ++tile)
    tiles_.push_back({scc::voltage_domain_of(topology, TileId{tile}), static_cast<int>(config.tile_divider),
                      config.start_volt});
}

double Energy::watts(const Tile& tile) const noexcept {
  return dynamic_ * tile.volt * tile.volt * global_clock_mhz_ / tile.divider + static_ * tile.volt;
}

void Energy::account(Tile& tile, Picoseconds now) const noexcept {
  tile.joules += watts(tile) * static_cast<double>(now - tile.since) * seconds_per_picosecond;
  tile.since = now;
}

void Energy::set_divider(int tile, int divider, Picoseconds now) noexcept {
  Tile& changed = tiles_[static_cast<std::size_t>(tile)];
  account(changed, now);
  changed.divider = divider;
}

void Energy::set_voltage(int domain, double volt, Picoseconds now) noexcept {
  for (Tile& tile : tiles_)
    if (tile.domain == domain) {
      account(tile, now);
      tile.volt = volt;
    }
}

double Energy::joules(int domain, Picoseconds now) const noexcept {
  double sum = 0;
  for (const Tile& tile : tiles_)
    if (tile.domain == domain)
      sum += tile.joules + watts(tile) * static_cast<double>(now - tile.since) * seconds_per_picosecond;
  return sum;
}

double Energy::volt(int domain) const noexcept {
  for (const Tile& tile : tiles_)
    if (tile.domain == domain) return tile.volt;
  return 0;
}

} // namespace mesh
