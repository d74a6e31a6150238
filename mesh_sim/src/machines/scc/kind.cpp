// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/kind.hpp"

#include <cmath>

#include <fmt/format.h>

#include "machines/configured_by.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/machines/scc/machine.hpp"
#include "mesh_sim/parts/topology.hpp"

namespace mesh {

namespace {

class SccParameters final : public ConfiguredBy<MachineConfig> {
 public:
  std::unique_ptr<MachineParameters> clone() const override { return std::make_unique<SccParameters>(*this); }
  std::unique_ptr<Machine> make(const std::string& name, std::size_t stack_bytes,
                                std::size_t shared_bytes) const override {
    return std::make_unique<SccMachine>(complete(name), stack_bytes, shared_bytes);
  }

  MeshShape mesh() const noexcept override {
    if (config_.is_graph())
      return {static_cast<int>(config_.tiles()), 1, static_cast<int>(config_.cores_per_tile)};
    return {static_cast<int>(config_.columns), static_cast<int>(config_.rows),
            static_cast<int>(config_.cores_per_tile)};
  }
  Topology topology() const override { return config_.make_topology(); }
  double core_mhz() const noexcept override {
    return config_.global_clock_mhz / static_cast<double>(config_.tile_divider);
  }
  std::string setting() const override {
    const std::string tiles = config_.is_graph()
        ? fmt::format("{} tiles", config_.tiles())
        : fmt::format("{} x {} tiles", config_.columns, config_.rows);
    std::string text =
        fmt::format("{} of {}; cores {:.0f} MHz, mesh {:.0f} MHz, DRAM {:.0f} MHz; frames {}; contention {}",
                    tiles, config_.cores_per_tile, std::floor(core_mhz()), config_.mesh_clock_mhz,
                    config_.dram_clock_mhz, config_.frames, config_.contention ? "on" : "off");
    const MachineConfig chip;
    if (config_.topology != chip.topology) text += "; " + config_.topology;
    if (config_.routing != chip.routing) text += "; routing " + config_.routing;
    if (config_.controllers != chip.controllers || !config_.controller_tiles.empty())
      text += fmt::format("; {} memory controllers", config_.controllers);
    return text;
  }
  std::size_t message_buffer_bytes() const noexcept override {
    return static_cast<std::size_t>(config_.mpb_bytes);
  }
};

} // namespace

MachineKind scc_kind() {
  return {"scc",
          "Intel SCC: cores on a mesh of tiles, with message-passing buffers and registers",
          []() -> std::unique_ptr<MachineParameters> { return std::make_unique<SccParameters>(); },
          {Capability::message_buffers, Capability::registers, Capability::power},
          built_in_presets("scc"),
          "scc"};
}

std::unique_ptr<MachineConfig> scc_config(const MachineDescription& machine) {
  return config_of<MachineConfig>(machine);
}

} // namespace mesh
