// SPDX-License-Identifier: Apache-2.0
#include "show/recording.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cluster/options.hpp"
#include "lists.hpp"
#include "memory_point.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "show/locks.hpp"
#include "show/parameters.hpp"
#include "show/watch.hpp"

namespace rccebench::show {
namespace {

constexpr const char* standard_machine[] = {"scc", "opteron-6172", "alc"}; // by Where
constexpr std::int64_t usual_message = 4096, usual_vector = 512;

Recording begun(const Asked& asked, const std::string& operation, Where where) {
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

Recording record_messages(const Asked& asked) {
  const auto machine = std::make_shared<const Machine>(open_machine(asked.common));
  const auto catalogue = Catalogue::standard();
  Collective what{.machine = machine, .machine_name = machine->config.name(), .algorithm = asked.name};
  what.cores = asked.cores;
  what.root = asked.root;
  what.warm_up = 1;
  const Algorithm& row = catalogue->algorithm(asked.name);
  const Operation& operation = what.operation();
  std::vector<std::string> known;
  for (const Parameter& parameter : row.parameters) known.push_back(parameter.name);
  what.options = read_parameters(asked.parameters, asked.name, known);
  for (const auto& [name, value] : what.options) {
    const Parameter& parameter = *row.parameter(name);
    if (parameter.words.empty())
      (void)read_numbers(value, "--parameter " + name, parameter.least, parameter.most, parameter.unit);
    else
      (void)read_names(value, "--parameter " + name, "",
                       std::vector<std::string_view>(parameter.words.begin(), parameter.words.end()));
  }
  if (operation.has_message)
    what.bytes = asked.bytes >= 0 ? asked.bytes : operation.combines ? usual_vector : usual_message;
  if (operation.combines && what.bytes % element_bytes(what.type) != 0)
    throw mesh::UserError(fmt::format("--bytes {}: no whole number of elements of {} bytes", what.bytes,
                                      element_bytes(what.type)));
  if (!operation.has_root && asked.root != 0)
    throw mesh::UserError(fmt::format("--root {}: {} has none", asked.root, operation.name));

  Recording recording = record(what);
  recording.machine = asked.common.machine_name();
  return recording;
}

Recording record_memory(const Asked& asked) {
  const Machine machine = open_machine(asked.common);
  MemoryPoint point{.machine = mesh::coherent_config(machine.config)};
  point.trial.algorithm = asked.name;
  point.trial.threads = asked.cores;
  if (asked.cores > point.machine->threads())
    throw mesh::UserError(fmt::format("--cores {}: machine '{}' runs 1 to {} threads", asked.cores,
                                      asked.common.machine, point.machine->threads()));
  if (asked.root != 0)
    throw mesh::UserError(fmt::format("--root {}: in shared memory the root is thread 0", asked.root));
  const std::string operation = asked.name.substr(0, asked.name.find('/'));
  if (operation == "lock") {
    Recording recording = begun(asked, operation, Where::memory);
    recording.setting = machine.description();
    add_threads(recording, *point.machine, point.trial.placement, asked.cores);
    record_lock(recording, *point.machine, asked.parameters);
    return recording;
  }
  const bool sends = operation == "bcast", combines = operation == "reduce";
  if (sends || combines)
    point.bytes = asked.bytes >= 0 ? asked.bytes : combines ? usual_vector : usual_message;
  set_shapes(point);
  auto& trial = point.trial;
  const bool level_tree = asked.name.ends_with("/level_tree"),
             dissemination = asked.name == "barrier/dissemination";
  const auto values = read_parameters(asked.parameters, asked.name,
                                      level_tree          ? std::vector<std::string>{"fan_outs"}
                                          : dissemination ? std::vector<std::string>{"partners"}
                                                          : std::vector<std::string>{});
  if (values.contains("fan_outs"))
    trial.bcast.fan_outs = trial.reduce.fan_outs =
        read_list(values.at("fan_outs"), "--parameter fan_outs", asked.cores);
  if (level_tree && asked.cores > algorithms::level_tree::capacity(trial.bcast.fan_outs))
    throw mesh::UserError(fmt::format("--parameter fan_outs={}: a tree of {} threads; --cores says {}",
                                      values.at("fan_outs"),
                                      algorithms::level_tree::capacity(trial.bcast.fan_outs), asked.cores));
  if (values.contains("partners"))
    trial.barrier.partners = read_list(values.at("partners"), "--parameter partners", asked.cores).front();

  Recording recording = begun(asked, operation, Where::memory);
  recording.setting = machine.description();
  if (sends || combines) recording.bytes = point.bytes;
  if (sends || combines || operation == "join") recording.root = 0;
  const auto& fan_outs = sends ? trial.bcast.fan_outs : trial.reduce.fan_outs;
  if (level_tree) recording.parameters = {{"fan_outs", fmt::format("{}", fmt::join(fan_outs, ","))}};
  if (dissemination) recording.parameters = {{"partners", fmt::format("{}", trial.barrier.partners)}};
  add_threads(recording, *point.machine, trial.placement, asked.cores);
  Watch watch;
  mesh::Observers observers;
  for (mesh::Observer* const one : watch.both()) observers.add(*one);
  trial.observers = &observers;
  (void)measure(point);
  take_edges(recording, watch.rounds, watch.windows);
  return recording;
}

Recording record_cards(const Asked& asked) {
  cluster::Options options;
  options.common = asked.common;
  options.noise = "off";
  options.repetitions = 1;
  const auto& row = cluster::row_of(asked.name);
  std::vector<std::string> known;
  if (row.has_degree) known.emplace_back("degree");
  if (row.has_splits) known.emplace_back("splits");
  const auto values = read_parameters(asked.parameters, asked.name, known);
  if (values.contains("degree")) options.degrees = values.at("degree");
  if (values.contains("splits")) options.splits = values.at("splits");
  if (asked.root != 0)
    throw mesh::UserError(fmt::format("--root {}: on a cluster the root is node 0", asked.root));
  constexpr int element = 8;
  const std::int64_t bytes = asked.bytes >= 0 ? asked.bytes : row.has_splits ? usual_vector : element;
  if (bytes % element != 0 || bytes == 0 || bytes / element > mesh::cluster::most_elements)
    throw mesh::UserError(fmt::format("--bytes {}: takes a multiple of {}, up to {}", bytes, element,
                                      element * mesh::cluster::most_elements));
  const cluster::Point point = options.point(row, asked.cores, static_cast<std::uint32_t>(bytes / element));

  Recording recording = begun(asked, "reduce", Where::cards);
  recording.setting = fmt::format("{} nodes of {}", asked.cores, point.machine.name);
  recording.root = 0;
  recording.bytes = bytes;
  if (row.has_degree) recording.parameters.emplace_back("degree", options.degrees);
  if (row.has_splits) recording.parameters.emplace_back("splits", options.splits);
  mesh::Observers observers;
  mesh::Rounds rounds;
  observers.add(rounds);
  mesh::cluster::Machine machine(point.machine, point.nodes, point.processes, point.seed);
  machine.set_observers(&observers);
  mesh::cluster::Values vectors(point.nodes, point.elements, point.what);
  const mesh::Picoseconds total = machine.reduce(cluster::program_of(point), point.what, vectors);
  std::map<int, mesh::RoundWindow> windows;
  for (int node = 0; node < asked.cores; ++node) {
    recording.places.push_back({node, node, 0});
    windows[node] = {node, 0, total};
  }
  take_edges(recording, rounds, windows);
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
  return where == Where::messages ? "core" : where == Where::memory ? "thread" : "node";
}

Asked asked(const std::string& name, const std::string& machine, int cores,
            std::vector<std::string> parameters) {
  Asked one;
  one.name = name;
  one.common.machine = machine;
  one.cores = cores;
  one.parameters = std::move(parameters);
  return one;
}

Recording record(const Collective& point) {
  Collective what = point;
  what.warm_up = what.repetitions = 1;
  what.spread = {};
  what.statistics = false;
  const Operation& operation = what.operation();
  Recording recording;
  recording.algorithm = what.algorithm;
  recording.operation = operation.name;
  recording.machine = what.machine_name;
  recording.setting = what.machine->description();
  if (operation.has_root) recording.root = what.root;
  if (operation.has_message) recording.bytes = what.bytes;
  for (const Parameter& parameter : what.row().parameters)
    if (const std::string value = what.value(parameter); !value.empty())
      recording.parameters.emplace_back(parameter.name, value);
  Watch watch;
  (void)measure(what, [&](mesh::Observers& all) { return watch.for_program(all); });
  recording.mesh = what.machine->config.parameters().topology();
  std::vector<int> cores = what.machine->first_cores(what.cores);
  std::sort(cores.begin(), cores.end()); // ranks follow ascending core numbers
  for (const int core : cores) {
    const mesh::TileId tile = recording.mesh->tile_of(mesh::CoreId{core});
    recording.places.push_back({core, recording.mesh->x(tile), recording.mesh->y(tile)});
  }
  take_edges(recording, watch.rounds, watch.windows);
  return recording;
}

Recording record(const Asked& asked) {
  Asked one = asked;
  Where where = Where::messages;
  if (asked.common.machine.empty()) {
    one.name = full_name(asked.name, names(), "");
    for (const Where each : {Where::cards, Where::memory, Where::messages})
      if (has(names_in(each), one.name)) where = each;
    one.common.machine = standard_machine[static_cast<std::size_t>(where)];
  } else {
    where = where_of_machine(asked.common.machine);
    one.name = full_name(asked.name, names_in(where), asked.common.machine);
  }
  Recording recording = where == Where::memory ? record_memory(one)
      : where == Where::cards                  ? record_cards(one)
                                               : record_messages(one);
  recording.common = one.common;
  return recording;
}

} // namespace rccebench::show
