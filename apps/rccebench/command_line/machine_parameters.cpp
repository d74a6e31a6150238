// SPDX-License-Identifier: Apache-2.0
#include "command_line/machine_parameters.hpp"

#include <fmt/format.h>

#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/parameters.hpp"
#include "rcce_emu/report_page.hpp"

namespace rccebench {
namespace {

page::Json of_machine(const CommonOptions& options) {
  rcce::SoftwareCosts costs;
  mesh::MachineDescription machine = options.choice().read(costs);
  mesh::ParameterTable all = machine.table();
  // What the library costs in instructions, on machines that run RCCE programs.
  if (machine.offers(mesh::Capability::message_buffers))
    for (const mesh::Parameter& one : costs.parameters()) all.push_back(one);
  return page::Json::parse(rcce::parameters_json(all));
}

} // namespace

page::Json machine_parameters(const CommonOptions& options) {
  const auto names = cut(options.machine, ',');
  page::Json all = page::Json::array();
  for (const std::string& name : names) {
    if (name == "host") continue;
    CommonOptions one = options;
    one.machine = name;
    for (page::Json& row : of_machine(one)) {
      if (names.size() > 1) row[0] = fmt::format("{} {}", name, row[0].get<std::string>());
      all.push_back(std::move(row));
    }
  }
  return all;
}

} // namespace rccebench
