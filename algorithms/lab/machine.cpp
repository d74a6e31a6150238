// SPDX-License-Identifier: Apache-2.0
#include "lab/machine.hpp"

#include <numeric>

#include <fmt/format.h>

#include "lab/host.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "rcce_emu/host_file.hpp"

namespace lab {

int Machine::hops(int core_a, int core_b) const {
  const mesh::Topology topology = config.parameters().topology();
  return topology.hops(topology.tile_of(mesh::CoreId{core_a}), topology.tile_of(mesh::CoreId{core_b}));
}

std::string Machine::description() const {
  return fmt::format("{}: {}", config.name(), config.parameters().setting());
}

std::vector<int> Machine::first_cores(int count) const {
  if (!host_file.empty()) return rcce::read_host_file(host_file, count, config.cores()).cores;
  std::vector<int> cores(static_cast<std::size_t>(count));
  std::iota(cores.begin(), cores.end(), 0);
  return cores;
}

bool Machine::is_grid() const {
  constexpr std::string_view topology = "mesh.topology";
  return config.has(topology) && config.text(topology) != "graph";
}

void Machine::resize(int columns, int rows, std::string_view asked) {
  if (!is_grid())
    throw mesh::UserError(fmt::format(
        "{}: machine '{}' is no grid of tiles, whose columns and rows can be set; ask for it on a "
        "machine whose [mesh] topology is mesh or torus",
        asked, config.name()));
  config.set("mesh.columns", columns);
  config.set("mesh.rows", rows);
}

Machine open_machine(const std::string& name_or_file) {
  return open_machine(rcce::MachineChoice{name_or_file, {}});
}

Machine open_machine(const rcce::MachineChoice& choice) {
  if (choice.machine == host_name) {
    if (!choice.settings.empty())
      throw mesh::UserError(
          fmt::format("{}: this host has no parameters to set; leave 'host' or the setting out",
                      choice.settings.front().option));
    return host_machine();
  }
  Machine machine;
  machine.config = choice.read(machine.costs);
  return machine;
}

} // namespace lab
