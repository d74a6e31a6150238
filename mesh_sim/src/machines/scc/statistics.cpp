// SPDX-License-Identifier: Apache-2.0
// What a run has done to the machine.
#include <fmt/format.h>

#include "mesh_sim/machines/scc/machine.hpp"

#include "mesh_sim/observe/statistics.hpp"

namespace mesh {

namespace {

constexpr StatisticKind simulated_time{"run.simulated_time", "us", "the latest clock of any core"},
    run_accesses{"run.accesses", "1", "accesses to message-passing buffers, registers and counters"},
    switches{"run.switches", "1", "changes from one core to another by the host"},
    lines_put{"core.lines_put", "lines", "lines copied to message-passing buffers"},
    lines_got{"core.lines_got", "lines", "lines copied from message-passing buffers"},
    l2_hits{"core.l2_hits", "lines", "lines of copies that were found in the second-level cache"},
    dram_lines{"core.dram_lines", "lines", "lines of copies that were found in no cache"},
    write_backs{"core.write_backs", "lines", "modified lines that made room for others"};

} // namespace

void SccMachine::statistics(Statistics& to) const {
  add(to, simulated_time, {}, microseconds(clocks_.latest()));
  add(to, run_accesses, {}, static_cast<double>(probes_.accesses()));
  add(to, switches, {}, static_cast<double>(kernel_.switches()));
  for (int i = 0; i < topology().cores(); ++i) {
    const SccCosts::CoreState& core = costs_.core_state(i);
    if (core.lines_put + core.lines_got == 0) continue;
    const Labels labels{{"core", fmt::format("{}", i)}};
    add(to, lines_put, labels, static_cast<double>(core.lines_put));
    add(to, lines_got, labels, static_cast<double>(core.lines_got));
    add(to, l2_hits, labels, static_cast<double>(core.l2_hits));
    add(to, dram_lines, labels, static_cast<double>(core.dram_lines));
    add(to, write_backs, labels, static_cast<double>(core.write_backs));
  }
}

std::string SccMachine::name_of(ResourceId resource) const {
  switch (resource.kind) {
  case ResourceId::Kind::link:
    return topology().link_name(resource.number);
  case ResourceId::Kind::mpb_port:
    return fmt::format("mpb({},{})", topology().x(TileId{resource.number}),
                       topology().y(TileId{resource.number}));
  case ResourceId::Kind::controller:
    break;
  }
  return fmt::format("controller {}", resource.number);
}

} // namespace mesh
