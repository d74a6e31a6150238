// What a run has done to the machine.
#include <algorithm>
#include <fmt/format.h>

#include "mesh_sim/machines/scc/machine.hpp"

namespace mesh {

namespace {

constexpr StatisticKind simulated_time{"run.simulated_time", "us", "the latest clock of any core"},
    run_accesses{"run.accesses", "1", "accesses to message-passing buffers, registers and counters"},
    switches{"run.switches", "1", "changes from one core to another by the host"},
    lines_put{"core.lines_put", "lines", "copied to message-passing buffers"},
    lines_got{"core.lines_got", "lines", "copied from message-passing buffers"},
    l2_hits{"core.l2_hits", "lines", "of copies that were found in the second-level cache"},
    dram_lines{"core.dram_lines", "lines", "of copies that were found in no cache"},
    write_backs{"core.write_backs", "lines", "modified, that made room for others"};

/// Of links, ports and controllers.
struct ResourceKinds {
  StatisticKind busy, share, packets, queued, bytes;
};
constexpr ResourceKinds links{{"link.busy", "us", "time in which packets pass"},
                              {"link.share", "%", "that time's part of the run"},
                              {"link.packets", "1", "packets passed"},
                              {"link.queued", "us", "what cores have waited there for others"},
                              {"link.bytes", "bytes", "width of all flits passed, headers among them"}},
    mpb_ports{{"mpb_port.busy", "us", "time in which lines are served"},
              {"mpb_port.share", "%", "that time's part of the run"},
              {"mpb_port.packets", "lines", "lines served"},
              {"mpb_port.queued", "us", "what cores have waited there for others"},
              {"mpb_port.bytes", "bytes", "of these lines"}},
    controllers{{"controller.busy", "us", "time in which lines are served"},
                {"controller.share", "%", "that time's part of the run"},
                {"controller.packets", "lines", "lines served"},
                {"controller.queued", "us", "what cores have waited there for others"},
                {"controller.bytes", "bytes", "of these lines"}};

double microseconds(Picoseconds time) {
  return static_cast<double>(time) / picoseconds_per_microsecond;
}

double percent(Picoseconds part, Picoseconds whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

void add_resource(Statistics& to, const ResourceKinds& kinds, const Labels& labels, const Resource& resource,
                  std::int64_t bytes, Picoseconds end) {
  if (resource.packets() == 0) return;
  add(to, kinds.busy, labels, microseconds(resource.busy()));
  add(to, kinds.share, labels, percent(resource.busy(), end));
  add(to, kinds.packets, labels, static_cast<double>(resource.packets()));
  add(to, kinds.queued, labels, microseconds(resource.waited()));
  add(to, kinds.bytes, labels, static_cast<double>(bytes));
}

} // namespace

void SccMachine::statistics(Statistics& to) const {
  const Picoseconds end = clocks_.latest();
  add(to, simulated_time, {}, microseconds(end));
  add(to, run_accesses, {}, static_cast<double>(onlookers_.accesses()));
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
  const auto rows = [&](ResourceId::Kind kind, const ResourceKinds& kinds, const char* label,
                        const std::vector<Resource>& resources) {
    for (std::size_t i = 0; i < resources.size(); ++i) {
      const Resource& one = resources[i];
      // A link is busy for a mesh cycle with each flit.
      const std::int64_t bytes = kind == ResourceId::Kind::link
          ? one.busy() / costs_.mesh_cycles(1) * costs_.config().link_bytes
          : static_cast<std::int64_t>(one.packets() * line_bytes);
      add_resource(to, kinds, {{label, name_of({kind, static_cast<int>(i)})}}, one, bytes, end);
    }
  };
  rows(ResourceId::Kind::link, links, "link", traffic_.links());
  rows(ResourceId::Kind::mpb_port, mpb_ports, "port", traffic_.ports());
  rows(ResourceId::Kind::controller, controllers, "controller", traffic_.controllers());
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
