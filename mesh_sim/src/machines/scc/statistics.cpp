// What a run has done to the machine, as text for people.
#include <algorithm>
#include <fmt/format.h>

#include "mesh_sim/machines/scc/machine.hpp"

namespace mesh {

namespace {

double percent(Picoseconds part, Picoseconds whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

Picoseconds latest_clock(const Kernel& kernel, int cores) {
  Picoseconds end = 0;
  for (int core = 0; core < cores; ++core) end = std::max(end, kernel.clock(core));
  return end;
}

} // namespace

std::string SccMachine::statistics() const {
  const Picoseconds end = latest_clock(kernel_, topology_.cores());
  std::string text = fmt::format(
      "machine {}: {}x{} tiles of {} cores, {:.3f} us simulated, {} accesses, {} context switches\n",
      config_.name, topology_.columns(), topology_.rows(), topology_.cores_per_tile(),
      static_cast<double>(end) / picoseconds_per_microsecond, accesses_, kernel_.switches());

  text += "core  lines put  lines got    L2 hits  DRAM lines  write-backs\n";
  for (int i = 0; i < topology_.cores(); ++i) {
    const CoreState& core = cores_[static_cast<std::size_t>(i)];
    if (core.lines_put + core.lines_got == 0) continue;
    text += fmt::format("{:4} {:10} {:10} {:10} {:11} {:12}\n", i, core.lines_put, core.lines_got,
                        core.l2_hits, core.dram_lines, core.write_backs);
  }

  const auto row = [&](const std::string& name, const Resource& resource) {
    if (resource.packets() == 0) return;
    text += fmt::format("{:<24} {:10} {:9.3f} {:12.3f}\n", name, resource.packets(),
                        percent(resource.busy(), end),
                        static_cast<double>(resource.waited()) / picoseconds_per_microsecond);
  };
  text += fmt::format("{:<24} {:>10} {:>9} {:>12}\n", "resource", "lines", "busy (%)", "waited (us)");
  const auto rows = [&](ResourceId::Kind kind, const std::vector<Resource>& resources) {
    for (std::size_t i = 0; i < resources.size(); ++i)
      row(name_of({kind, static_cast<int>(i)}), resources[i]);
  };
  rows(ResourceId::Kind::link, network_.links());
  rows(ResourceId::Kind::mpb_port, ports_);
  rows(ResourceId::Kind::controller, controllers_);

  return text;
}

std::string SccMachine::name_of(ResourceId resource) const {
  switch (resource.kind) {
  case ResourceId::Kind::link:
    return topology_.link_name(resource.number);
  case ResourceId::Kind::mpb_port:
    return fmt::format("mpb({},{})", topology_.x(TileId{resource.number}),
                       topology_.y(TileId{resource.number}));
  case ResourceId::Kind::controller:
    break;
  }
  return fmt::format("controller {}", resource.number);
}

std::string SccMachine::energy() const {
  const Picoseconds end = latest_clock(kernel_, topology_.cores());
  std::string text = "voltage domain  volt  energy (J)   estimate: see mesh_sim/machines/scc/energy.hpp\n";
  double sum = 0;
  for (int domain = 0; domain < topology_.voltage_domains(); ++domain) {
    const double joules = energy_.joules(domain, end);
    sum += joules;
    text += fmt::format("{:14} {:5.2f} {:11.6f}\n", domain, energy_.volt(domain), joules);
  }
  text += fmt::format("all            {:17.6f}\n", sum);
  return text;
}

} // namespace mesh
