// Parameters of the simulated chip. Defaults are those of the SCC at 533/800/800; every one can be set in a machine
// file. Units and sources stand in the table (machine_config.cpp) and in `rccerun --machine scc --print-machine`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mesh_sim/parameters.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

struct MachineConfig {
  std::string name = "scc";

  // [mesh] shape and network
  std::int64_t columns = 6, rows = 4, cores_per_tile = 2;
  double global_clock_mhz = 1600, mesh_clock_mhz = 800;
  std::int64_t router_cycles = 4, link_bytes = 16;
  bool contention = true;
  std::int64_t granularity_lines = 16;

  // [core]
  std::int64_t tile_divider = 3, mpb_bytes = 8192;
  std::int64_t l1_bytes = 16384, l1_ways = 4, l2_bytes = 262144, l2_ways = 4;
  std::int64_t mpb_read_cycles = 67, mpb_write_cycles = 67, mpb_local_mesh_cycles = 8, mpb_port_cycles = 3;
  std::int64_t l1_line_cycles = 8, l2_line_cycles = 26;
  std::int64_t plain_store_l1_cycles = 16, plain_store_l2_cycles = 80, plain_store_dram_cycles = 341;
  std::int64_t lock_acquire_cycles = 38, lock_release_cycles = 75;

  // [dram]
  double dram_clock_mhz = 800;
  std::int64_t dram_core_cycles = 40, dram_ram_cycles = 46;
  std::string frames = "contiguous";
  std::int64_t frame_seed = 1;

  [[nodiscard]] ParameterTable parameters();

  [[nodiscard]] int cores() const noexcept { return static_cast<int>(columns * rows * cores_per_tile); }
  [[nodiscard]] int tiles() const noexcept { return static_cast<int>(columns * rows); }
};

/// A built-in preset ("scc", "scc-fast") or the machine file at that path, read over the defaults of "scc". `extra` are
/// further tables that the file may set (software costs). Throws UserError for unknown names, with the nearest one.
[[nodiscard]] MachineConfig load_machine(std::string_view name_or_file, const ParameterTable& extra = {});

} // namespace mesh
