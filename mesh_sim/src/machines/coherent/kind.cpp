// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/kind.hpp"

#include <cmath>

#include <fmt/format.h>

#include "machines/configured_by.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/machines/coherent/sockets.hpp"

namespace mesh {

namespace {

class CoherentParameters final : public ConfiguredBy<coherent::Config> {
 public:
  std::unique_ptr<MachineParameters> clone() const override {
    return std::make_unique<CoherentParameters>(*this);
  }
  std::unique_ptr<Machine> make(const std::string& name, std::size_t /*stack_bytes*/,
                                std::size_t /*shared_bytes*/) const override {
    throw UserError(fmt::format("machine '{}' runs threads with coherent caches, and no programs", name));
  }

  MeshShape mesh() const noexcept override {
    return {static_cast<int>(config_.nodes), 1,
            static_cast<int>(config_.cores_per_node * config_.threads_per_core)};
  }
  std::shared_ptr<const Routes> routes() const override {
    return std::make_shared<const coherent::Sockets>(config_);
  }
  double core_mhz() const noexcept override { return config_.clock_mhz; }
  std::string setting() const override {
    const auto several = [](std::int64_t count, const char* what) {
      return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    std::string text =
        fmt::format("{} of {}", several(config_.nodes, "node"), several(config_.cores_per_node, "core"));
    if (config_.threads_per_core > 1) text += fmt::format(" with {} threads each", config_.threads_per_core);
    return text + fmt::format("; {:.0f} MHz, coherent caches", std::floor(config_.clock_mhz));
  }
};

} // namespace

MachineKind coherent_kind() {
  return {"coherent",
          "cores that share memory through coherent caches",
          []() -> std::unique_ptr<MachineParameters> { return std::make_unique<CoherentParameters>(); },
          {Capability::coherent_memory},
          built_in_presets("coherent")};
}

std::unique_ptr<coherent::Config> coherent_config(const MachineDescription& machine) {
  return config_of<coherent::Config>(machine);
}

namespace coherent {

Config load_machine(std::string_view name_or_file) {
  return load_config<Config>(name_or_file, Capability::coherent_memory);
}

} // namespace coherent

} // namespace mesh
