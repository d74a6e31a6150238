// SPDX-License-Identifier: Apache-2.0
// Parameters of the simulated chip. Defaults are those of the SCC at 533/800/800; every one can be set in a
// machine file. Units, meaning and sources stand in the table (config.cpp), which also writes the
// commented file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh_sim/units.hpp"

namespace mesh {

struct Parameter; // parameters.hpp
using ParameterTable = std::vector<Parameter>;
class Topology;

struct MachineConfig {
  std::string name = "scc";

  // [mesh]
  std::int64_t columns = 6, rows = 4, cores_per_tile = 2;
  double mesh_clock_mhz = 800;
  std::string topology = "mesh", routing = "xy";
  std::vector<Coordinates> routers; ///< a graph's: where they are drawn
  std::vector<JoinedRouters> links; ///< a graph's
  std::int64_t router_tiles = 0;    ///< number of a graph's first routers that have cores; 0: all
  std::int64_t router_cycles = 4, link_bytes = 16;
  bool contention = true;
  std::string granularity = "exact";

  // [tile]
  double global_clock_mhz = 1600;
  std::int64_t tile_divider = 3;
  std::int64_t mpb_bytes = 8192;
  std::int64_t mpb_read_cycles = 62, mpb_write_cycles = 66, mpb_local_mesh_cycles = 8, mpb_remote_cycles = 24;
  std::int64_t mpb_port_cycles = 5;
  std::int64_t lock_acquire_cycles = 28, lock_release_cycles = 65, lock_local_discount_cycles = 16;
  std::int64_t counter_cycles = 200, counter_service_cycles = 40;

  // [cache]
  std::int64_t l1_bytes = 16384, l1_ways = 4, l2_bytes = 262144, l2_ways = 4;
  std::int64_t l1_kept_lines = 32, l2_kept_pages = 7;
  std::int64_t l1_line_cycles = 8, l2_line_cycles = 26, l2_read_cycles = 18;
  std::int64_t plain_store_l1_cycles = 17, plain_store_l2_cycles = 90, plain_store_dram_cycles = 425;

  // [dram]
  double dram_clock_mhz = 800;
  std::int64_t dram_core_cycles = 40, dram_ram_cycles = 46, dram_copy_cycles = 15,
               dram_write_back_cycles = 92;
  std::int64_t controllers = 4;
  std::vector<Coordinates> controller_tiles; ///< empty: at the edges
  double controller_gb_per_s = 5.25;
  std::int64_t word_store_lines = 2;
  std::string frames = "contiguous";
  std::int64_t frame_seed = 1;

  // [power]
  double power_dynamic_w = 0.07025, power_static_w = 29.57;
  double start_volt = 1.1;

  [[nodiscard]] ParameterTable parameters();

  /// Throws UserError where parameters that are allowed one by one do not fit together.
  void complete() const;

  [[nodiscard]] Topology make_topology() const;
  [[nodiscard]] bool is_graph() const noexcept { return topology == "graph"; }
  [[nodiscard]] std::int64_t tiles() const noexcept {
    if (!is_graph()) return columns * rows;
    return router_tiles > 0 ? router_tiles : static_cast<std::int64_t>(routers.size());
  }
  [[nodiscard]] int cores() const noexcept { return static_cast<int>(tiles() * cores_per_tile); }

 private:
  void complete_graph() const;
};

} // namespace mesh
