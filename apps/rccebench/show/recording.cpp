// SPDX-License-Identifier: Apache-2.0
#include "show/recording.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab.hpp"
#include "lab/cards.hpp"
#include "lab/memory.hpp"
#include "lab/messages.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "mesh_sim/machines/coherent/machine.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "show/locks.hpp"
#include "show/parameters.hpp"
#include "show/watch.hpp"

namespace rccebench::show {
namespace {

constexpr const char* standard_machine[] = {"scc", "opteron-6172", "alc"}; // by World
constexpr std::int64_t usual_message = 4096, usual_vector = 512, one_element = 8;

/// Hears of the run of a point, whatever it runs on. Returns what has ended it before its end, as a deadlock;
/// else nothing.
std::string watch_run(const Point& point, Watch& watch) {
  if (const auto* memory = dynamic_cast<const Memory*>(point.backend.get())) {
    mesh::Observers observers;
    for (mesh::Observer* const one : watch.both()) observers.add(*one);
    (void)memory->measure(point, &observers);
  } else if (const auto* cards = dynamic_cast<const Cards*>(point.backend.get())) {
    mesh::Observers observers;
    observers.add(watch.rounds);
    const mesh::Picoseconds end = cards->run_observed(point, observers);
    for (int node = 0; node < point.cores; ++node) watch.windows[node] = {node, 0, end};
  } else {
    const Result result = messages_of(point, "the rounds").measure(point, [&](mesh::Observers& all) {
      return watch.for_program(all);
    });
    return result.found;
  }
  return {};
}

Recording begun(const ScheduleRequest& asked, const std::string& operation, World where) {
  Recording recording;
  recording.algorithm = asked.name;
  recording.operation = operation;
  recording.where = where;
  recording.machine = asked.common.machine_name();
  return recording;
}

/// Places of threads on a machine with coherent caches: their cores' nodes.
void add_threads(Recording& recording, const mesh::coherent::Config& machine, const std::string& placement,
                 int threads) {
  const auto placed = mesh::coherent::placement(machine, placement, threads);
  const auto in_node = static_cast<int>(machine.cores_per_node);
  for (int thread = 0; thread < threads; ++thread) {
    const int core = placed[static_cast<std::size_t>(thread)] % machine.cores();
    recording.places.push_back({thread, core / in_node, 0});
  }
}

Recording record_lock(const ScheduleRequest& asked, const Machine& machine) {
  const auto config = mesh::coherent_config(machine.config);
  if (asked.cores > config->threads())
    throw mesh::UserError(fmt::format("--cores {}: machine '{}' runs 1 to {} threads", asked.cores,
                                      asked.common.machine, config->threads()));
  Recording recording = begun(asked, "lock", World::memory);
  recording.setting = machine.description();
  add_threads(recording, *config, "compact", asked.cores);
  record_lock(recording, *config, asked.parameters);
  return recording;
}

Recording record_point(const ScheduleRequest& asked) {
  const auto machine = std::make_shared<const Machine>(open_machine(asked.common));
  const auto backend = backend_of(*machine, asked.files);
  const std::string kind = asked.name.substr(0, asked.name.find('/'));
  const auto refuse = [](const std::string& option, std::string_view of) {
    throw mesh::UserError(fmt::format("{}: {} has none", option, of));
  };
  if (kind == "lock") {
    if (asked.bytes >= 0) refuse(fmt::format("--bytes {}", asked.bytes), kind);
    if (asked.root != 0) refuse(fmt::format("--root {}", asked.root), kind);
    return record_lock(asked, *machine);
  }
  Point what{.machine = machine,
             .machine_name = machine->config.name(),
             .backend = backend,
             .algorithm = asked.name,
             .cores = asked.cores,
             .root = asked.root};
  const Row& row = backend->row(asked.name);
  std::vector<std::string> known;
  for (const Parameter& parameter : row.parameters)
    if (!parameter.of_call) known.push_back(parameter.name);
  what.options = read_parameters(asked.parameters, asked.name, known);
  for (auto& [name, value] : what.options) {
    const Parameter& parameter = *row.parameter(name);
    const std::string option = "--parameter " + name;
    if (parameter.list)
      value = fmt::format("{}", fmt::join(read_list(value, option, parameter.least, parameter.most), "/"));
    else if (parameter.words.empty())
      (void)read_numbers(value, option, parameter.least, parameter.most, parameter.unit);
    else if (!parameter.or_file)
      (void)read_names(value, option, "",
                       std::vector<std::string_view>(parameter.words.begin(), parameter.words.end()));
  }
  const Operation& operation = what.operation();
  if (operation.has_message)
    what.bytes = asked.bytes >= 0                                              ? asked.bytes
        : !operation.combines                                                  ? usual_message
        : backend->usual_sizes().empty() || row.parameter("splits") != nullptr ? usual_vector
                                                                               : one_element;
  if (operation.combines && what.bytes % element_bytes(what.type) != 0)
    throw mesh::UserError(fmt::format("--bytes {}: no whole number of elements of {} bytes", what.bytes,
                                      element_bytes(what.type)));
  if (!operation.has_message && asked.bytes >= 0)
    refuse(fmt::format("--bytes {}", asked.bytes), operation.name);
  if (!operation.has_root && asked.root != 0) refuse(fmt::format("--root {}", asked.root), operation.name);
  Recording recording = record(what);
  if (!recording.fault.empty()) throw std::runtime_error(fmt::format("{}: {}", asked.name, recording.fault));
  recording.machine = asked.common.machine_name();
  return recording;
}

} // namespace

int Recording::rounds() const {
  int most = 0;
  for (const mesh::RoundEdge& edge : edges) most = std::max(most, edge.round);
  return most;
}

std::vector<mesh::RoundEdge> Recording::edges_of(int round) const {
  std::vector<mesh::RoundEdge> found;
  std::copy_if(edges.begin(), edges.end(), std::back_inserter(found),
               [&](const mesh::RoundEdge& edge) { return edge.round == round; });
  return found;
}

mesh::Picoseconds Recording::end_of(int round) const {
  mesh::Picoseconds latest = 0;
  for (const mesh::RoundEdge& edge : edges)
    if (edge.round == round) latest = std::max(latest, edge.end);
  return latest;
}

const char* Recording::place_word() const {
  return where == World::messages ? "core" : where == World::memory ? "thread" : "node";
}

ScheduleRequest request(const std::string& name, const std::string& machine, int cores,
                        std::vector<std::string> parameters) {
  ScheduleRequest one;
  one.name = name;
  one.common.machine = machine;
  one.cores = cores;
  one.parameters = std::move(parameters);
  return one;
}

Recording record(const Point& point) {
  Point what = point;
  what.warm_up = what.repetitions = 1;
  what.spread = {};
  what.statistics = false;
  what.options = what.backend->settled(what);
  const Operation& operation = what.operation();
  Recording recording;
  recording.algorithm = what.algorithm;
  recording.operation = operation.name;
  recording.machine = what.machine_name;
  recording.setting = what.machine->description();
  if (operation.has_root) recording.root = what.root;
  if (operation.has_message) recording.bytes = what.bytes;
  for (const Parameter& parameter : what.row().parameters)
    if (std::string value = what.value(parameter); !value.empty() && !parameter.of_call) {
      if (parameter.list) std::replace(value.begin(), value.end(), '/', ',');
      recording.parameters.emplace_back(parameter.name, value);
    }
  Watch watch;
  recording.fault = watch_run(what, watch);
  if (what.machine->config.offers(mesh::Capability::cards)) {
    recording.where = World::cards;
    for (int node = 0; node < what.cores; ++node) recording.places.push_back({node, node, 0});
  } else if (const auto config = mesh::coherent_config(what.machine->config)) {
    recording.where = World::memory;
    add_threads(recording, *config, "compact", what.cores);
  } else {
    const mesh::Topology topology = what.machine->config.parameters().topology();
    if (topology.is_grid()) recording.mesh = std::make_shared<const mesh::Topology>(topology);
    std::vector<int> cores = what.machine->first_cores(what.cores);
    std::sort(cores.begin(), cores.end()); // ranks follow ascending core numbers
    for (const int core : cores) {
      const mesh::TileId tile = topology.tile_of(mesh::CoreId{core});
      recording.places.push_back({core, topology.x(tile), topology.y(tile)});
    }
  }
  take_edges(recording, watch.rounds, watch.windows);
  return recording;
}

Recording record(const ScheduleRequest& asked) {
  ScheduleRequest one = asked;
  World where = World::messages;
  if (asked.common.machine.empty()) {
    one.name = full_name(asked.name, names(asked.files), "");
    for (const World each : {World::cards, World::memory, World::messages})
      if (has(names_in(each, asked.files), one.name)) where = each;
    one.common.machine = standard_machine[static_cast<std::size_t>(where)];
  } else {
    where = where_of_machine(asked.common.machine);
    one.name = full_name(asked.name, names_in(where, asked.files), asked.common.machine);
  }
  Recording recording = record_point(one);
  recording.common = one.common;
  return recording;
}

} // namespace rccebench::show
