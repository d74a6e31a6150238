// SPDX-License-Identifier: Apache-2.0
#include "page/parameters.hpp"

#include <fmt/format.h>

#include "lab.hpp"
#include "mesh_sim/machines/cluster/config.hpp"
#include "rcce_emu/report_page.hpp"

namespace rccebench::page {
namespace {

Json of_cluster(const CommonOptions& options) {
  mesh::cluster::Config config = mesh::cluster::load_machine(options.machine);
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    mesh::set_parameter(config.parameters(), setting.substr(0, equals), setting.substr(equals + 1),
                        fmt::format("--set {}", setting));
  }
  return Json::parse(rcce::parameters_json(config.parameters()));
}

Json of_cores(const CommonOptions& options) {
  Machine machine = open_machine(options);
  mesh::ParameterTable all = machine.config.table();
  // What the library costs in instructions, on machines that run RCCE programs.
  if (machine.config.message_buffer_bytes() > 0)
    for (const mesh::Parameter& one : machine.costs.parameters()) all.push_back(one);
  return Json::parse(rcce::parameters_json(all));
}

} // namespace

Json parameters_of(const CommonOptions& options) {
  const auto names = cut(options.machine, ',');
  Json all = Json::array();
  for (const std::string& name : names) {
    if (name == "host") continue;
    CommonOptions one = options;
    one.machine = name;
    for (Json& row : mesh::cluster::is_cluster(name) ? of_cluster(one) : of_cores(one)) {
      if (names.size() > 1) row[0] = fmt::format("{} {}", name, row[0].get<std::string>());
      all.push_back(std::move(row));
    }
  }
  return all;
}

} // namespace rccebench::page
