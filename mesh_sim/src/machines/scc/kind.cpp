// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/kind.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "mesh_sim/machines/scc/machine.hpp"

namespace mesh {

namespace {

class SccParameters final : public MachineParameters {
 public:
  std::unique_ptr<MachineParameters> clone() const override { return std::make_unique<SccParameters>(*this); }
  ParameterTable table() override { return config_.parameters(); }
  void validate(const std::string& name) const override { named(name).validate(); }
  std::unique_ptr<Machine> make(const std::string& name, std::size_t stack_bytes,
                                std::size_t shared_bytes) const override {
    return std::make_unique<SccMachine>(named(name), stack_bytes, shared_bytes);
  }

  MeshShape mesh() const noexcept override {
    return {static_cast<int>(config_.columns), static_cast<int>(config_.rows),
            static_cast<int>(config_.cores_per_tile)};
  }
  Topology topology() const override { return config_.make_topology(); }
  double core_mhz() const noexcept override {
    return config_.global_clock_mhz / static_cast<double>(config_.tile_divider);
  }
  std::string setting() const override {
    std::string text = fmt::format(
        "{} x {} tiles of {}; cores {:.0f} MHz, mesh {:.0f} MHz, DRAM {:.0f} MHz; frames {}; contention {}",
        config_.columns, config_.rows, config_.cores_per_tile, std::floor(core_mhz()), config_.mesh_clock_mhz,
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

  [[nodiscard]] MachineConfig named(const std::string& name) const {
    MachineConfig config = config_;
    config.name = name;
    return config;
  }

 private:
  MachineConfig config_;
};

// 800/1600/1066, the setting that the SCC broadcast thesis names for its ping-pong.
constexpr std::array<MachinePreset::Setting, 3> fast = {
    {{"tile.divider", "2"}, {"mesh.clock", "1600"}, {"dram.clock", "1066"}}};

constexpr std::array<MachinePreset, 2> presets = {{
    {"scc", "533/800/800 MHz: cores, mesh, memory", {}},
    {"scc-fast", "800/1600/1066 MHz", fast},
}};

} // namespace

MachineKind scc_kind() noexcept {
  return {"scc", "Intel SCC: cores on a mesh of tiles, with message-passing buffers and registers",
          []() -> std::unique_ptr<MachineParameters> { return std::make_unique<SccParameters>(); }, presets};
}

std::unique_ptr<MachineConfig> scc_config(const MachineDescription& machine) {
  const auto* parameters = dynamic_cast<const SccParameters*>(&machine.parameters());
  if (parameters == nullptr) return nullptr;
  return std::make_unique<MachineConfig>(parameters->named(machine.name()));
}

} // namespace mesh
