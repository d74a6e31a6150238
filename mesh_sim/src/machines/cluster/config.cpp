// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/cluster/config.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/parameters.hpp"

namespace mesh::cluster {
namespace {

constexpr std::array<std::string_view, operations> operation_names = {"sum", "min", "max"};
constexpr std::array<std::string_view, types> type_names = {"int32", "int64", "float32", "float64"};
constexpr std::array<std::string_view, operations* types> row_names = {
    "int32_sum",   "int64_sum",   "float32_sum", "float64_sum", "int32_min",   "int64_min",
    "float32_min", "float64_min", "int32_max",   "int64_max",   "float32_max", "float64_max"};

} // namespace

std::string_view name(Operation operation) noexcept {
  return operation_names[static_cast<std::size_t>(operation)];
}
std::string_view name(Type type) noexcept {
  return type_names[static_cast<std::size_t>(type)];
}

ParameterTable Config::parameters() {
  ParameterTable table = {
      {"machine", "nodes", &nodes, "nodes", "number of nodes, each with one network card", 2, most_nodes},
      {"machine", "processors", &processors, "processors", "processors of a node; each process occupies one",
       1, 1024},

      {"network", "radix", &radix, "links",
       "links of a switch where down is not given: half lead down, half up", 4, 256},
      {"network", "down", &down, "ports",
       "levels of the tree, from the cards up: nodes or switches below each switch", 1, most_nodes},
      {"network", "up", &up, "switches",
       "for each level: switches of it to which each node or switch below is linked; default: 1", 1,
       most_nodes},
      {"network", "parallel", &parallel, "cables",
       "for each level: parallel cables between a switch and what is below; default: 1", 1, most_nodes},
      {"network", "cable", &cable_ns, "ns",
       "for each level: time that a cable takes, once up and once down; of the first two levels a part of "
       "wire; default: 0",
       0, 1e9},
      {"network", "wire", &wire, "us",
       "time of a message's head from card to card over three switches, which are the first two levels of "
       "the "
       "tree; its bytes follow at the bandwidth",
       0, 1e6},
      {"network", "switch", &switch_ns, "ns",
       "time that each switch more than three adds, and each switch less saves", 0, 1e6},
      {"network", "distance", &distance, "on|off",
       "whether the time depends on the number of switches; off: every message takes as long as over three"},
      {"network", "links", &links, "on|off", "whether a link carries one message at a time"},
      {"network", "bandwidth", &bandwidth_mbs, "MB/s",
       "bandwidth of a link; with down one number, or one for each level", 1e-3, 1e9},
      {"network", "backbone", &backbone_mbs, "MB/s",
       "bandwidth of one link that every message passes between its ways up and down; 0: there is none", 0,
       1e9},
      {"network", "packet", &packet_bytes, "B", "most bytes of a packet; longer messages are cut", 1, 1e6},

      {"card", "start", &start, "us", "time from the end of the barrier to the card's first step", 0, 1e6},
      {"card", "post", &post, "us", "part of start that occupies the host's processor", 0, 1e6},
      {"card", "end", &end, "us", "time from the last step of the root's card until its host knows of it", 0,
       1e6},
      {"card", "extra", &extra, "us", "further time between the barrier and the first step", 0, 1e6},
      {"card", "wake", &wake, "us", "time to wake the card's sleeping program when its messages have arrived",
       0, 1e6},
      {"card", "receive", &receive, "us", "time to receive a message of one packet", 0, 1e6},
      {"card", "further", &further, "us", "time to receive each further packet", 0, 1e6},
      {"card", "step_factor", &step_factor, "-", "factor by which receiving and combining are multiplied", 0,
       1000},
      {"card", "send_blocks", &send_blocks, "on|off",
       "whether a sender that continues after sending is busy until the message has woken its receiver"},
      {"card", "gather_wakes", &gather_wakes, "on|off",
       "whether each segment that has been put in its place wakes the program"},

      {"hardware", "barrier", &barrier, "us", "time of the hardware barrier, from the entry of the last host",
       0, 1e6},
      {"hardware", "broadcast", &broadcast, "us",
       "time of the hardware broadcast, from the root's result and the entry of the last host", 0, 1e6},

      {"host", "entry", &entry, "us", "time to enter a call on the host", 0, 1e6},
      {"host", "send", &send, "us", "time that sending takes on the host, o of LogGP", 0, 1e6},
      {"host", "latency", &latency, "us",
       "time from there to the receiving host over three switches, L of LogGP without the message's bytes", 0,
       1e6},
      {"host", "take", &take, "us",
       "time that receiving a message and combining one element takes on the host", 0, 1e6},
      {"host", "element", &element, "us", "time to combine each further element", 0, 1e6},
      {"host", "gap", &gap, "us", "least time between two messages of a host, g of LogGP", 0, 1e6},
      {"host", "eager", &eager_bytes, "B",
       "largest message that is sent at once; longer ones wait until the receiver asks (rendezvous)", 0, 1e9},
      {"host", "shared_memory", &shared_memory, "us", "time to combine with the other processes of the node",
       0, 1e6},
      {"host", "timing", &timing, "us",
       "time to read the clock before and after a call that is timed by itself", 0, 1e6},
      {"host", "timing_jitter", &timing_jitter, "us",
       "mean of the exponential delay with which each host then starts", 0, 1e6},

      {"noise", "daemons", &daemons, "1/s", "daemons that start on a node each second, by a Poisson process",
       0, 1e6},
      {"noise", "daemon", &daemon_ms, "ms", "mean time for which a daemon occupies a processor", 0, 1e6},
      {"noise", "durations", &durations, "exponential|constant", "distribution of the daemons' run times"},
      {"noise", "co_scheduled", &co_scheduled, "on|off", "whether daemons run on all nodes at the same time"},
      {"noise", "late_chance", &late_chance, "-",
       "probability that a host sleeps through the arrival of a message", 0, 1},
      {"noise", "late", &late, "us", "mean of the exponential delay that follows", 0, 1e6},
  };
  for (std::size_t operation = 0; operation < operations; ++operation)
    for (std::size_t type = 0; type < types; ++type)
      table.push_back({"combine", row_names[operation * types + type], &combine[operation][type], "us",
                       "time to combine 1, 2, 4 and 8 elements on the card", 0, 1e6});
  return table;
}

void Config::complete() {
  const auto wrong = [&](const std::string& what) {
    return UserError(fmt::format("machine '{}': {}", name, what));
  };
  if (radix % 2 != 0)
    throw wrong(fmt::format("[network] radix = {}; half the links lead up, so it is even", radix));
  if (latency < wire)
    throw wrong(
        fmt::format("[host] latency = {} has [network] wire = {} in it, so it is no less", latency, wire));
  if (const std::string what = misfit_of_levels(); !what.empty()) throw wrong("[network] " + what);
  Picoseconds over_three = 3 * std::llround(switch_ns * 1000);
  for (std::size_t level = 0; level < std::min(cable_ns.size(), levels_in_wire); ++level)
    over_three += 2 * std::llround(cable_ns[level] * 1000);
  if (picoseconds(wire) < over_three && distance)
    throw wrong(fmt::format("[network] wire = {} us are less than three switches of {} ns{}", wire, switch_ns,
                            cable_ns.empty() ? ""
                                             : ", and the cables of the first two levels, once up and once "
                                               "down"));
  if (post > start) throw wrong(fmt::format("[card] post = {} is a part of start = {}", post, start));
  const auto row = [&](Operation operation, Type type) -> std::vector<double>& {
    return combine[static_cast<std::size_t>(operation)][static_cast<std::size_t>(type)];
  };
  if (row(Operation::sum, Type::int32).empty())
    throw wrong("[combine] int32_sum is missing: four numbers, for 1, 2, 4 and 8 elements, or [machine] "
                "preset = NAME to begin with");
  const auto fill = [&](Operation operation, Type type, const std::vector<double>& like) {
    if (row(operation, type).empty()) row(operation, type) = like;
  };
  for (const Operation operation : {Operation::sum, Operation::max, Operation::min}) {
    const Operation like = operation == Operation::min ? Operation::max : Operation::sum;
    for (const Type type : {Type::int32, Type::float64}) fill(operation, type, row(like, type));
    fill(operation, Type::float64, row(operation, Type::int32));
    fill(operation, Type::int64, row(operation, Type::int32));
    fill(operation, Type::float32, row(operation, Type::float64));
  }
  for (std::size_t i = 0; i < row_names.size(); ++i)
    if (const auto& values = combine[i / types][i % types]; values.size() != combining_points)
      throw wrong(fmt::format("[combine] {} has {} numbers; it takes four, for 1, 2, 4 and 8 elements",
                              row_names[i], values.size()));
    else if (values[combining_points - 1] < values[combining_points - 2])
      throw wrong(fmt::format("[combine] {} = {}: 8 elements take no less than 4, for it goes on like that "
                              "beyond 8",
                              row_names[i], fmt::join(values, " ")));
}

std::string Config::misfit_of_levels() const {
  const std::pair<const char*, const std::vector<double>*> lists[] = {
      {"down", &down},
      {"up", &up},
      {"parallel", &parallel},
      {"cable", &cable_ns},
      {"bandwidth", bandwidth_mbs.size() == 1 ? nullptr : &bandwidth_mbs}};
  for (const auto& [label, list] : lists) {
    if (list == nullptr || list->empty()) continue;
    if (down.empty())
      return fmt::format("{} = {} is a list by levels, and down, which says the levels, is not given", label,
                         fmt::join(*list, " "));
    if (list->size() != down.size())
      return fmt::format("{} = {} has {} numbers, and down has {} levels", label, fmt::join(*list, " "),
                         list->size(), down.size());
    if (list == &cable_ns || list == &bandwidth_mbs) continue;
    for (const double number : *list)
      if (number != std::floor(number))
        return fmt::format("{} = {} has {} in it, which is no whole number", label, fmt::join(*list, " "),
                           number);
  }
  if (bandwidth_mbs.empty()) return "bandwidth has no number";
  if (down.empty()) return {};
  if (down.size() > most_levels)
    return fmt::format("down has {} levels; a tree here has {} at most", down.size(), most_levels);
  double carried = 1, cables = 0, copies = 1;
  for (const double ports : down) carried *= ports;
  if (carried < static_cast<double>(nodes))
    return fmt::format("down = {} carries {:.0f} nodes, and [machine] nodes = {}; add ports or a level",
                       fmt::join(down, " "), carried, nodes);
  for (std::size_t at = 0; at < down.size(); ++at) {
    const TreeLevel level = this->level(at);
    copies *= static_cast<double>(level.up);
    cables += carried * copies * static_cast<double>(level.parallel);
    carried /= static_cast<double>(level.down);
  }
  if (cables > most_cables)
    return fmt::format("the levels have {:.0f} cables; a tree here has {} at most", cables, most_cables);
  return {};
}

TreeLevel Config::level(std::size_t at) const {
  if (down.empty()) return {radix / 2, at == 0 ? 1 : radix / 2, 1, bandwidth_mbs.front()};
  const auto of = [at](const std::vector<double>& list, double otherwise) {
    return list.empty() ? otherwise : list[std::min(at, list.size() - 1)];
  };
  return {std::llround(down[at]), std::llround(of(up, 1)), std::llround(of(parallel, 1)),
          of(bandwidth_mbs, 0), of(cable_ns, 0)};
}

std::vector<TreeLevel> Config::levels(std::int64_t of_nodes) const {
  std::vector<TreeLevel> levels;
  for (std::int64_t carried = 1; carried < of_nodes || levels.empty(); carried *= levels.back().down) {
    if (!down.empty() && levels.size() == down.size())
      throw UserError(fmt::format("machine '{}': [network] down = {} carries {} nodes, not {}", name,
                                  fmt::join(down, " "), carried, of_nodes));
    levels.push_back(level(levels.size()));
  }
  return levels;
}

double Config::flight(std::int64_t bytes) const {
  double slowest = bandwidth_mbs.front();
  for (std::size_t level = 0; level < std::min(bandwidth_mbs.size(), levels_in_wire); ++level)
    slowest = std::min(slowest, bandwidth_mbs[level]);
  if (backbone_mbs > 0) slowest = std::min(slowest, backbone_mbs);
  return wire + static_cast<double>(bytes) / slowest;
}

Picoseconds Config::combining(Operation operation, Type type, std::int64_t elements) const {
  if (elements <= 0) return 0;
  const auto& row = combine[static_cast<std::size_t>(operation)][static_cast<std::size_t>(type)];
  std::size_t point = 0;
  while (point + 2 < combining_points && (std::int64_t{2} << point) <= elements) ++point;
  const std::int64_t from = std::int64_t{1} << point;
  const Picoseconds low = picoseconds(row[point]), high = picoseconds(row[point + 1]);
  return low + (high - low) * (elements - from) / from;
}

Picoseconds Config::card_step(Vector what, std::int64_t elements, bool combines) const {
  const std::int64_t bytes = elements * static_cast<std::int64_t>(bytes_of(what.type));
  const Picoseconds step = picoseconds(receive) + picoseconds(further) * (packets(bytes) - 1) +
      (combines ? combining(what.operation, what.type, elements) : 0);
  return step_factor == 1 ? step : static_cast<Picoseconds>(static_cast<double>(step) * step_factor + 0.5);
}

} // namespace mesh::cluster
