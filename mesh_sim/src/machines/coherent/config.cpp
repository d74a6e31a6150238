// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/config.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/parameters.hpp"

namespace mesh::coherent {

namespace {

constexpr std::array<std::string_view, operations> operation_names = {
    "load", "store", "cas", "fetch_add", "test_and_set", "exchange"};
constexpr std::array<std::string_view, states> state_names = {"modified", "owned", "exclusive", "shared",
                                                              "invalid"};

constexpr std::array<std::string_view, states> row_meaning = {
    "line that another cache has changed",
    "line that others share with the cache that has changed it; without it as shared",
    "line that another cache alone has; without it as modified",
    "line that several caches have; without it as modified",
    "line in no cache: from memory; without it the load's",
};

constexpr std::array<std::string_view, most_nodes> row_names = {
    "node0",  "node1",  "node2",  "node3",  "node4",  "node5",  "node6",  "node7",  "node8",  "node9",
    "node10", "node11", "node12", "node13", "node14", "node15", "node16", "node17", "node18", "node19",
    "node20", "node21", "node22", "node23", "node24", "node25", "node26", "node27", "node28", "node29",
    "node30", "node31", "node32", "node33", "node34", "node35", "node36", "node37", "node38", "node39",
    "node40", "node41", "node42", "node43", "node44", "node45", "node46", "node47", "node48", "node49",
    "node50", "node51", "node52", "node53", "node54", "node55", "node56", "node57", "node58", "node59",
    "node60", "node61", "node62", "node63"};

} // namespace

std::string_view name(Operation operation) noexcept {
  return operation_names[static_cast<std::size_t>(operation)];
}
std::string_view name(State state) noexcept {
  return state_names[static_cast<std::size_t>(state)];
}

ParameterTable Config::parameters() {
  ParameterTable table = {
      {"machine", "clock", &clock_mhz, "MHz", "clock of the cores, in whose cycles costs are given", 1,
       100000},
      {"machine", "nodes", &nodes, "nodes", "dies, or sockets: cores at distance 0, with memory of their own",
       1, most_nodes},
      {"machine", "cores_per_node", &cores_per_node, "cores", "physical cores of a node", 1, most_cores},
      {"machine", "threads_per_core", &threads_per_core, "threads",
       "hardware threads of a core; they share its private cache", 1, 8},
      {"machine", "nodes_per_socket", &nodes_per_socket, "nodes",
       "nodes between which a message crosses no link that costs a leg", 1, most_nodes},
      {"machine", "layout", &layout, "nodes|mesh",
       "nodes: distances by [distance]. mesh: a node is a tile, its place the hops less one"},
      {"machine", "mesh_columns", &mesh_columns, "nodes", "columns of the mesh", 1, most_nodes},
      {"machine", "home", &home, "first_touch|hash", "which node answers for a line whose home nobody gives"},
  };
  for (int node = 0; node < most_nodes; ++node)
    table.push_back({"distance", row_names[static_cast<std::size_t>(node)],
                     &distance[static_cast<std::size_t>(node)], "places",
                     "place of each node as seen from this one; none given: 0 to itself, 1 to others", 0,
                     most_places - 1});
  for (std::size_t operation = 0; operation < operations; ++operation)
    for (std::size_t state = 0; state < states; ++state)
      table.push_back({operation_names[operation], state_names[state], &latency[operation][state], "cycles",
                       row_meaning[state], 1, 1e6});
  const ParameterTable rest = {
      {"hit", "load", &hit_load, "cycles", "load of a line in the own cache", 0, 1e6},
      {"hit", "store", &hit_store, "cycles", "store to a line that the own cache alone has", 0, 1e6},
      {"hit", "atomic", &hit_atomic, "cycles", "read-modify-write of such a line", 0, 1e6},
      {"hit", "line", &hit_line, "cycles", "line of a block that is in the own cache", 0, 1e6},
      {"hit", "sibling", &sibling, "cycles", "line that the other hardware thread of the core has changed", 0,
       1e6},

      {"queue", "reads", &reads, "overlapping|serial",
       "whether the next request begins [queue] read cycles after a read has begun, or when it is done: a "
       "home that "
       "works on one transaction of a line at a time"},
      {"queue", "read", &read_occupancy, "cycles",
       "how long a read keeps its line from the next request: the slope c of k readers", 0, 1e6},
      {"queue", "scans", &scans, "overlapping|in_order",
       "whether a core that looks at several words goes on to the next before a load has its answer, up to "
       "[memory] misses at once"},
      {"queue", "hold", &hold, "transfers",
       "for how much of its own transfer the owner keeps a line that it has written", 0, 1},
      {"queue", "poll_gap", &poll_gap, "cycles", "from a write's completion to the poller's next load", 0,
       1e6},
      {"queue", "pause", &pause, "cycles", "pause instruction", 0, 1e6},

      {"rules", "owned", &owned, "on|off",
       "whether a changed line stays with its owner when others read it (MOESI)"},
      {"rules", "leg", &leg, "cycles",
       "of each crossing between sockets by which the way requester, home, owner, requester is longer than "
       "the one to the owner and back, which the costs contain",
       0, 1e6},
      {"rules", "probes", &probes, "directory|broadcast",
       "broadcast: the home asks all nodes who has a line. A transfer within a node goes by way of the home "
       "too, and pays for the legs; a write waits for all answers, which its costs on shared lines contain"},
      {"rules", "home_penalty", &home_penalty, "cycles",
       "of a transfer between sockets whose requester is not at the line's home", 0, 1e6},
      {"rules", "invalidation", &invalidation, "cycles", "of a write for each further copy that it removes",
       0, 1e6},
      {"rules", "busy_sibling", &busy_sibling, "times",
       "how much longer computation takes where other threads run on the core: they share what it issues", 1,
       64},
      {"rules", "store_buffer", &store_buffer, "stores",
       "0: a core waits for its stores. Else they are posted and become visible in order, one at a time", 0,
       1024},

      {"cache", "private_kb", &private_kb, "KB", "private cache of a core, last level; 0: unlimited", 0, 1e6},
      {"cache", "private_ways", &private_ways, "ways", "its associativity", 1, 64},
      {"cache", "shared_kb", &shared_kb, "KB",
       "cache shared by a node, filled by what private caches evict; 0: none", 0, 1e6},
      {"cache", "shared_ways", &shared_ways, "ways", "its associativity", 1, 64},
      {"cache", "shared_hit", &shared_hit, "cycles",
       "load of a line that only the own node's shared cache has", 0, 1e6},

      {"memory", "read", &read_gbs, "GB/s", "memory of a node, reading; 0: unlimited", 0, 1e6},
      {"memory", "write", &write_gbs, "GB/s", "the same, writing", 0, 1e6},
      {"memory", "link", &link_gbs, "GB/s", "what a link between two nodes carries each way; 0: unlimited", 0,
       1e6},
      {"memory", "misses", &misses, "lines",
       "loads that a core has in flight, and requests for ownership beside them", 1, 1000},

      {"futex", "sleep", &futex_sleep, "cycles", "the call that goes to sleep, until it looks at the word", 0,
       1e9},
      {"futex", "wake", &futex_wake, "cycles", "the call that wakes", 0, 1e9},
      {"futex", "turnaround", &futex_turnaround, "cycles",
       "from the wake-up to the first instruction of the sleeper", 0, 1e9},
  };
  table.insert(table.end(), rest.begin(), rest.end());
  return table;
}

int Config::places() const noexcept {
  if (layout == "mesh") {
    const auto rows = (nodes + mesh_columns - 1) / mesh_columns;
    return static_cast<int>(std::max<std::int64_t>(1, mesh_columns + rows - 2));
  }
  int most = nodes > 1 ? 1 : 0;
  for (const auto& row : distance)
    for (const double place : row) most = std::max(most, static_cast<int>(place));
  return most + 1;
}

int Config::place(int from, int to) const noexcept {
  if (from == to) return 0;
  if (layout == "mesh") {
    const int columns = static_cast<int>(mesh_columns);
    const int hops = std::abs(from % columns - to % columns) + std::abs(from / columns - to / columns);
    return std::max(0, hops - 1);
  }
  const auto& row = distance[static_cast<std::size_t>(from)];
  return row.empty() ? 1 : static_cast<int>(row[static_cast<std::size_t>(to)]);
}

namespace {

/// A row of one value holds for every place, one of two for the nearest and the farthest of a mesh.
void spread(std::vector<double>& row, int places, bool mesh) {
  const auto wanted = static_cast<std::size_t>(places);
  if (row.size() == 1) row.assign(wanted, row.front());
  if (mesh && row.size() == 2 && wanted > 2) {
    const double first = row[0], step = (row[1] - row[0]) / static_cast<double>(places - 1);
    row.clear();
    for (int place = 0; place < places; ++place) row.push_back(first + step * place);
  }
}

void fill(std::vector<double>& row, const std::vector<double>& other) {
  if (row.empty()) row = other;
}

} // namespace

void Config::complete() {
  if (cores() > most_cores)
    throw UserError(
        fmt::format("machine '{}': {} nodes of {} cores make {} cores; at most {} can be simulated", name,
                    nodes, cores_per_node, cores(), most_cores));
  if (nodes % nodes_per_socket != 0)
    throw UserError(fmt::format("machine '{}': {} nodes do not divide into sockets of {}; set "
                                "[machine] nodes_per_socket to a divisor",
                                name, nodes, nodes_per_socket));
  for (int node = 0; node < most_nodes; ++node) {
    const auto& row = distance[static_cast<std::size_t>(node)];
    if (!row.empty() && (node >= nodes || static_cast<std::int64_t>(row.size()) != nodes))
      throw UserError(fmt::format("machine '{}': [distance] {} has {} places; each of the {} nodes needs {}",
                                  name, row_names[static_cast<std::size_t>(node)], row.size(), nodes, nodes));
    for (const double place : row)
      if (place != std::floor(place))
        throw UserError(fmt::format("machine '{}': [distance] {} has {}; places are whole numbers", name,
                                    row_names[static_cast<std::size_t>(node)], place));
    if (!row.empty() && row[static_cast<std::size_t>(node)] != 0)
      throw UserError(fmt::format("machine '{}': [distance] {} has {} for itself; that is 0", name,
                                  row_names[static_cast<std::size_t>(node)],
                                  row[static_cast<std::size_t>(node)]));
  }
  for (int from = 0; from < nodes; ++from)
    for (int to = 0; to < from; ++to)
      if (place(from, to) != place(to, from))
        throw UserError(
            fmt::format("machine '{}': [distance] {} is {} from {}, but {} back; a line's way is as "
                        "long there and back",
                        name, row_names[static_cast<std::size_t>(from)], place(from, to),
                        row_names[static_cast<std::size_t>(to)], place(to, from)));
  if (places() > most_places)
    throw UserError(
        fmt::format("machine '{}': a mesh of {} nodes in {} columns has {} places; at most {} can be "
                    "simulated: make it squarer",
                    name, nodes, mesh_columns, places(), most_places));
  const auto check_cache = [&](const char* cache, double kb, std::int64_t ways) {
    const double set_kb = static_cast<double>(ways) * static_cast<double>(line_size) / 1024;
    if (kb > 0 && kb < set_kb)
      throw UserError(
          fmt::format("machine '{}': [cache] {}_kb = {} with {}_ways = {}: it has not room for one "
                      "line in each way; give it {} or more",
                      name, cache, kb, cache, ways, set_kb));
  };
  check_cache("private", private_kb, private_ways);
  check_cache("shared", shared_kb, shared_ways);
  if (shared_kb > 0 && private_kb == 0)
    throw UserError(fmt::format(
        "machine '{}': [cache] shared_kb = {} with private_kb = 0, which is unlimited: nothing is "
        "evicted into the shared cache; set private_kb, or shared_kb = 0",
        name, shared_kb));
  const auto row = [&](Operation operation, State state) -> std::vector<double>& {
    return latency[static_cast<std::size_t>(operation)][static_cast<std::size_t>(state)];
  };
  const auto fill_states = [&](Operation operation) {
    fill(row(operation, State::shared), row(operation, State::modified));
    fill(row(operation, State::exclusive), row(operation, State::modified));
    fill(row(operation, State::owned), row(operation, State::shared));
  };
  const auto fill_operation = [&](Operation operation, Operation like) {
    fill_states(operation);
    for (std::size_t state = 0; state < states; ++state)
      if (state != static_cast<std::size_t>(State::invalid))
        fill(row(operation, static_cast<State>(state)), row(like, static_cast<State>(state)));
    fill(row(operation, State::invalid), row(Operation::load, State::invalid));
  };
  fill_operation(Operation::load, Operation::load);
  fill_operation(Operation::store, Operation::load);
  fill_operation(Operation::cas, Operation::store);
  for (const Operation atomic : {Operation::fetch_add, Operation::test_and_set, Operation::exchange})
    fill_operation(atomic, Operation::cas);
  const int wanted = places();
  for (std::size_t operation = 0; operation < operations; ++operation)
    for (std::size_t state = 0; state < states; ++state) {
      auto& values = latency[operation][state];
      spread(values, wanted, layout == "mesh");
      if (static_cast<int>(values.size()) != wanted)
        throw UserError(
            fmt::format("machine '{}': [{}] {} has {} values; the machine has {} places, and each row one "
                        "value for each (or one for all)",
                        name, operation_names[operation], state_names[state], values.size(), wanted));
    }
}

} // namespace mesh::coherent
