// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/clocks.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "mesh_sim/machines/scc/voltage_domains.hpp"
#include "mesh_sim/observe/statistics.hpp"

namespace mesh::scc {

namespace {

constexpr StatisticKind domain_energy{"voltage_domain.energy", "J",
                                      "estimate: mesh_sim/machines/scc/energy.hpp"},
    domain_volt{"voltage_domain.voltage", "V", "at the end of the run"},
    chip_energy{"chip.energy", "J", "sum of all voltage domains"};

} // namespace

Clocks::Clocks(Kernel& kernel, SccCosts& costs, Traffic& traffic, Copies& copies)
    : kernel_(kernel),
      costs_(costs),
      traffic_(traffic),
      copies_(copies),
      energy_(costs.config(), costs.topology()),
      dividers_(static_cast<std::size_t>(costs.topology().tiles())) {
  for (int tile = 0; tile < costs.topology().tiles(); ++tile)
    pace(tile, static_cast<int>(costs.config().tile_divider));
}

void Clocks::pace(int tile, int divider) {
  dividers_[static_cast<std::size_t>(tile)] = divider;
  copies_.tell_runs();
  const int cores = costs_.topology().cores_per_tile();
  for (int core = tile * cores; core < (tile + 1) * cores; ++core)
    traffic_.set_tile_cycle(tile, costs_.set_core_clock(core, divider));
  copies_.change_clock(tile);
}

void Clocks::set_tile_divider(int tile, int divider) {
  if (kernel_.current() >= 0) kernel_.synchronise();
  energy_.set_divider(tile, divider, kernel_.now());
  pace(tile, divider);
}

void Clocks::set_voltage(int domain, double volt) {
  if (kernel_.current() >= 0) kernel_.synchronise();
  energy_.set_voltage(domain, volt, kernel_.now());
}

Picoseconds Clocks::latest() const noexcept {
  Picoseconds latest = 0;
  for (int core = 0; core < costs_.topology().cores(); ++core) latest = std::max(latest, kernel_.clock(core));
  return latest;
}

void Clocks::energy(Statistics& to) const {
  const Picoseconds end = latest();
  double sum = 0;
  for (int domain = 0; domain < voltage_domains(costs_.topology()); ++domain) {
    const double joules = energy_.joules(domain, end);
    sum += joules;
    const Labels labels{{"domain", fmt::format("{}", domain)}};
    add(to, domain_energy, labels, joules);
    add(to, domain_volt, labels, energy_.volt(domain));
  }
  add(to, chip_energy, {}, sum);
}

} // namespace mesh::scc
