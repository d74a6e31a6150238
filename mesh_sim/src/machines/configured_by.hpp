// SPDX-License-Identifier: Apache-2.0
// Parameters of a kind that stand in a struct `Config`, with name, parameters() and complete().
#pragma once

#include <memory>
#include <string>

#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/parameters.hpp"

namespace mesh {

template <class Config>
class ConfiguredBy : public MachineParameters {
 public:
  ParameterTable table() final { return config_.parameters(); }
  void validate(const std::string& name) const final { (void)complete(name); }

  /// A copy under that name, complete. Throws UserError where values do not fit together.
  [[nodiscard]] Config complete(const std::string& name) const {
    Config config = config_;
    config.name = name;
    config.complete();
    return config;
  }

 protected:
  Config config_;
};

/// The struct of such a machine, complete, under the machine's name; null for a machine of another kind.
template <class Config>
std::unique_ptr<Config> config_of(const MachineDescription& machine) {
  const auto* parameters = dynamic_cast<const ConfiguredBy<Config>*>(&machine.parameters());
  if (parameters == nullptr) return nullptr;
  return std::make_unique<Config>(parameters->complete(machine.name()));
}

/// The same by name or file. Throws UserError for machines without the capability that the kind is known by.
template <class Config>
Config load_config(std::string_view name_or_file, Capability capability) {
  const MachineDescription machine = load_machine(name_or_file);
  check_offers(machine, capability);
  return *config_of<Config>(machine);
}

} // namespace mesh
