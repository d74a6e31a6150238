// SPDX-License-Identifier: Apache-2.0
// The SCC broadcast thesis: what of it is no point of the laboratory. Everything else is in thesis.py.
#include <cmath>

#include <fmt/format.h>

#include "lab/machine.hpp"
#include "mesh_sim/machines/scc/costs.hpp"
#include "mesh_sim/machines/scc/kind.hpp"
#include "publications/publications.hpp"

namespace rccebench::publications::thesis {
namespace {

/// The machine of that preset, with the command line's changes.
Machine machine_of(const CommonOptions& changes, const Arguments& a) {
  CommonOptions options = changes;
  options.machine = a.word(0);
  options.frames = "random";
  return open_machine(options);
}

/// preset, partner of core 0: half round trips by size, 256 to 8192 bytes
Json ping_pong(const Machine& machine, int partner) {
  constexpr int repetitions = 3, step = 256, largest = 8192;
  Run what;
  what.program = "pingpong";
  what.generation = Generation::rcce10;
  what.cores = {0, partner};
  what.arguments = {fmt::format("{}", repetitions), "0"};
  for (int bytes = step; bytes <= largest; bytes += step) what.arguments.push_back(fmt::format("{}", bytes));
  Json times = Json::array();
  for (const auto& row : rccebench::run(machine, what).rows) times.push_back(std::stod(row.at(1)) / 2);
  return times;
}

/// Core cycles of a word stored to DRAM when it costs what the latencies say: an access that reaches the
/// memory twice, for a word of a line is read, changed and written. The mean over the tiles: with the default
/// look-up tables 1.5 hops from the controller.
std::int64_t dram_store_cycles(const Machine& machine) {
  const auto config = mesh::scc_config(machine.config);
  const mesh::Topology topology = config->make_topology();
  const mesh::Picoseconds cycle = mesh::period(machine.core_mhz());
  mesh::Picoseconds sum = 0;
  for (int tile = 0; tile < topology.tiles(); ++tile) {
    const mesh::TileId controller = topology.controller_tile(topology.controller_of(mesh::TileId{tile}));
    sum += mesh::SccCosts::dram_access(
        *config, cycle, 2 * topology.cycles(mesh::TileId{tile}, controller, config->router_cycles), 2);
  }
  return std::llround(static_cast<double>(sum) / static_cast<double>(topology.tiles() * cycle));
}

} // namespace

Measurements measurements(const CommonOptions& changes) {
  const auto of = [changes](auto function) {
    return [changes, function](const Arguments& a) -> Json { return function(machine_of(changes, a), a); };
  };
  return {{{"ping_pong", 2,
            of([](const Machine& machine, const Arguments& a) { return ping_pong(machine, a.integer(1)); })}},
          {{"hops", 2,
            of([](const Machine& machine, const Arguments& a) { return machine.hops(0, a.integer(1)); })},
           {"l2_bytes", 1, of([](const Machine& machine, const Arguments&) {
              return machine.config.number("cache.l2_bytes");
            })},
           {"dram_store_cycles", 1,
            of([](const Machine& machine, const Arguments&) { return dram_store_cycles(machine); })},
           {"description", 1,
            of([](const Machine& machine, const Arguments&) { return machine.description(); })}}};
}

} // namespace rccebench::publications::thesis
