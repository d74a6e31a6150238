// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/cluster/config.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

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
      {"machine", "nodes", &nodes, "nodes", "with one card each", 2, most_nodes},
      {"machine", "processors", &processors, "processors", "of a node; a process takes one", 1, 1024},

      {"network", "radix", &radix, "links", "of a switch, half of them down, half up", 4, 256},
      {"network", "wire", &wire, "us", "from card to card over three switches, the first two levels", 0, 1e6},
      {"network", "switch", &switch_ns, "ns", "cut-through of a switch more or less than three", 0, 1e6},
      {"network", "distance", &distance, "on|off", "off: every message takes as long as over three switches"},
      {"network", "links", &links, "on|off", "whether a link carries one packet at a time"},
      {"network", "bandwidth", &bandwidth_mbs, "MB/s", "of a link", 1e-3, 1e9},
      {"network", "packet", &packet_bytes, "B", "a message is cut into so many bytes", 1, 1e6},

      {"card", "start", &start, "us", "from the end of the barrier to the card's first step", 0, 1e6},
      {"card", "post", &post, "us", "of start, what takes the host's processor", 0, 1e6},
      {"card", "end", &end, "us", "from the root card's last step until its host knows", 0, 1e6},
      {"card", "extra", &extra, "us", "more between barrier and first step", 0, 1e6},
      {"card", "wake", &wake, "us", "a sleeping program's wake-up when its messages are there", 0, 1e6},
      {"card", "receive", &receive, "us", "of a message of one packet", 0, 1e6},
      {"card", "further", &further, "us", "of each further packet", 0, 1e6},
      {"card", "step_factor", &step_factor, "-", "of receiving and combining", 0, 1000},
      {"card", "send_blocks", &send_blocks, "on|off",
       "a sender that goes on after sending is busy until the message has woken its receiver"},
      {"card", "gather_wakes", &gather_wakes, "on|off",
       "each piece that is put in its place wakes the program"},

      {"hardware", "barrier", &barrier, "us", "from the last host's entry", 0, 1e6},
      {"hardware", "broadcast", &broadcast, "us", "from the root's result and the last host's entry", 0, 1e6},

      {"host", "entry", &entry, "us", "of a call", 0, 1e6},
      {"host", "send", &send, "us", "sender's overhead, o of LogGP", 0, 1e6},
      {"host", "latency", &latency, "us", "from there to the receiving host, over three switches, L", 0, 1e6},
      {"host", "take", &take, "us", "receiver's overhead with combining one element", 0, 1e6},
      {"host", "element", &element, "us", "for each further element that is combined", 0, 1e6},
      {"host", "gap", &gap, "us", "between two messages of a host, g", 0, 1e6},
      {"host", "eager", &eager_bytes, "B", "longer messages wait until the receiver asks (rendezvous)", 0,
       1e9},
      {"host", "shared_memory", &shared_memory, "us", "combining with the node's other processes", 0, 1e6},
      {"host", "timing", &timing, "us", "reading a clock before and after a call that is timed singly", 0,
       1e6},
      {"host", "timing_jitter", &timing_jitter, "us", "exponential mean: the later start of each host then",
       0, 1e6},

      {"noise", "daemons", &daemons, "1/s", "of a node, Poisson", 0, 1e6},
      {"noise", "daemon", &daemon_ms, "ms", "mean time that one takes a processor", 0, 1e6},
      {"noise", "durations", &durations, "exponential|constant", "of daemons"},
      {"noise", "co_scheduled", &co_scheduled, "on|off", "daemons run on all nodes at the same time"},
      {"noise", "late_chance", &late_chance, "-", "that a host sleeps through a message's arrival", 0, 1},
      {"noise", "late", &late, "us", "exponential mean of what it then comes late", 0, 1e6},
  };
  for (std::size_t operation = 0; operation < operations; ++operation)
    for (std::size_t type = 0; type < types; ++type)
      table.push_back({"combine", row_names[operation * types + type], &combine[operation][type], "us",
                       "combining 1, 2, 4 and 8 elements on the card", 0, 1e6});
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
  if (wire * 1000 < 3 * switch_ns && distance)
    throw wrong(fmt::format("[network] wire = {} us are less than three switches of {} ns", wire, switch_ns));
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
