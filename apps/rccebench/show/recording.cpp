// SPDX-License-Identifier: Apache-2.0
#include "show/recording.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cluster/options.hpp"
#include "lab.hpp"
#include "lab/memory.hpp"
#include "lab/messages.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "show/locks.hpp"
#include "show/parameters.hpp"
#include "show/watch.hpp"

namespace rccebench::show {
namespace {

constexpr const char* standard_machine[] = {"scc", "opteron-6172", "alc"}; // by Where
constexpr std::int64_t usual_message = 4096, usual_vector = 512;

/// Hears of the run of a point, whatever it runs on.
void watch_run(const Point& point, Watch& watch) {
  if (const auto* memory = dynamic_cast<const Memory*>(point.backend.get())) {
    mesh::Observers observers;
    for (mesh::Observer* const one : watch.both()) observers.add(*one);
    (void)memory->run(point, &observers);
  } else {
    (void)messages_of(point, "the rounds").run(point, [&](mesh::Observers& all) {
      return watch.for_program(all);
    });
  }
}

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

Recording record_lock(const Asked& asked, const Machine& machine) {
  const auto config = mesh::coherent_config(machine.config);
  if (asked.cores > config->threads())
    throw mesh::UserError(fmt::format("--cores {}: machine '{}' runs 1 to {} threads", asked.cores,
                                      asked.common.machine, config->threads()));
  Recording recording = begun(asked, "lock", Where::memory);
  recording.setting = machine.description();
  add_threads(recording, *config, "compact", asked.cores);
  record_lock(recording, *config, asked.parameters);
  return recording;
}

Recording record_point(const Asked& asked) {
  const auto machine = std::make_shared<const Machine>(open_machine(asked.common));
  const auto backend = backend_of(*machine);
  const std::string kind = asked.name.substr(0, asked.name.find('/'));
  if (kind == "lock") return record_lock(asked, *machine);
  Point what{.machine = machine,
             .machine_name = machine->config.name(),
             .backend = backend,
             .algorithm = asked.name,
             .cores = asked.cores,
             .root = asked.root};
  const Row& row = backend->row(asked.name);
  std::vector<std::string> known;
  for (const Parameter& parameter : row.parameters) known.push_back(parameter.name);
  what.options = read_parameters(asked.parameters, asked.name, known);
  for (auto& [name, value] : what.options) {
    const Parameter& parameter = *row.parameter(name);
    const std::string option = "--parameter " + name;
    if (parameter.list)
      value = fmt::format("{}", fmt::join(read_list(value, option, asked.cores), "/"));
    else if (parameter.words.empty())
      (void)read_numbers(value, option, parameter.least, parameter.most, parameter.unit);
    else
      (void)read_names(value, option, "",
                       std::vector<std::string_view>(parameter.words.begin(), parameter.words.end()));
  }
  const Operation& operation = what.operation();
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
    if (std::string value = what.value(parameter); !value.empty()) {
      if (parameter.list) std::replace(value.begin(), value.end(), '/', ',');
      recording.parameters.emplace_back(parameter.name, value);
    }
  Watch watch;
  watch_run(what, watch);
  if (const auto config = mesh::coherent_config(what.machine->config)) {
    recording.where = Where::memory;
    add_threads(recording, *config, "compact", what.cores);
  } else {
    recording.mesh = what.machine->config.parameters().topology();
    std::vector<int> cores = what.machine->first_cores(what.cores);
    std::sort(cores.begin(), cores.end()); // ranks follow ascending core numbers
    for (const int core : cores) {
      const mesh::TileId tile = recording.mesh->tile_of(mesh::CoreId{core});
      recording.places.push_back({core, recording.mesh->x(tile), recording.mesh->y(tile)});
    }
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
  Recording recording = where == Where::cards ? record_cards(one) : record_point(one);
  recording.common = one.common;
  return recording;
}

} // namespace rccebench::show
