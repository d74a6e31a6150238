// SPDX-License-Identifier: Apache-2.0
#include "rcce_emu/machine_choice.hpp"

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/parameters.hpp"

namespace rcce {

void MachineChoice::add(const std::string& option, const std::string& assignment) {
  const std::size_t dot = assignment.find('.'), equals = assignment.find('=');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals)
    throw mesh::UserError(fmt::format(
        "{} '{}': takes SECTION.NAME=VALUE; rccerun --print-machine lists the names", option, assignment));
  settings.push_back({fmt::format("{} {}", option, assignment), assignment.substr(0, equals),
                      assignment.substr(equals + 1)});
}

mesh::MachineDescription MachineChoice::read(SoftwareCosts& costs) const {
  mesh::MachineDescription description = mesh::load_machine(machine, costs.parameters());
  mesh::ParameterTable parameters = description.table();
  for (const mesh::Parameter& parameter : costs.parameters()) parameters.push_back(parameter);
  for (const auto& [option, parameter, value] : settings)
    mesh::set_parameter(parameters, parameter, value, option);
  description.validate();
  for (std::size_t place = 0; place < costs.layers.size(); ++place) costs.layers.at(place).check();
  return description;
}

} // namespace rcce
