// SPDX-License-Identifier: Apache-2.0
// Moody, Fernandez, Petrini, Panda, Scalable NIC-based Reduction on Large-scale Clusters, SC 2003: what its
// statements are made of. Nothing of a figure's curve was read off: only what its text states is compared.
// Preset alc has nothing fitted, alc-fitted has.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measuring/card_cost_model.hpp"
#include "measuring/card_series.hpp"
#include "measuring/substitutes.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/parameters.hpp"
#include "publications/publications.hpp"

namespace rccebench::publications::nic_reduction {
namespace {

using mesh::cluster::Config, mesh::cluster::Operation, mesh::cluster::Type, mesh::cluster::Vector;

constexpr int published_degree = 4, all_nodes = 906, consistency_nodes = 900, split_nodes = 512;

/// "int32", "float64": sums; "int32-max"; "nop" has the elements of int32.
Vector vector_of(const std::string& word) {
  return {word.starts_with("float64") ? Type::float64 : Type::int32,
          word.ends_with("max") ? Operation::max : Operation::sum};
}

measuring::CardSeries point_of(const char* machine, const char* algorithm, int nodes, const std::string& what,
                               int elements = 1) {
  measuring::CardSeries point;
  point.machine = mesh::cluster::load_machine(measuring::machine_file(machine));
  point.algorithm = algorithm;
  point.options.degrees = {published_degree};
  point.what = vector_of(what);
  point.nodes = nodes;
  point.elements = static_cast<std::uint32_t>(elements);
  return point;
}

// --- without noise, in microseconds

/// machine, nodes, type, elements, degree, processes: by the f-nomial tree on the cards
Json on_card(const Arguments& a) {
  measuring::CardSeries point =
      point_of(a.word(0).c_str(), "reduce/f_nomial", a.integer(1), a.word(2), a.integer(3));
  point.options.degrees = {a.integer(4)};
  point.processes = a.integer(5);
  return measuring::quiet_us(point);
}
/// elements, splits: of 512 nodes, fitted
Json split(const Arguments& a) {
  measuring::CardSeries point =
      point_of("alc-fitted", "reduce/f_nomial_split", split_nodes, "float64", a.integer(0));
  point.options.splits = a.integer(1);
  return measuring::quiet_us(point);
}
/// nodes, type, elements: one node after the other at the root; `nop`: received, and dropped
Json serial(const Arguments& a) {
  measuring::CardSeries point = point_of("alc", "reduce/serial", a.integer(0), a.word(1), a.integer(2));
  if (a.word(1) == "nop")
    for (auto& row : point.machine.combine)
      for (auto& values : row) values.assign(mesh::cluster::combining_points, 0);
  return measuring::quiet_us(point);
}
/// nodes: what an allreduce takes beyond a reduction
Json broadcast(const Arguments& a) {
  measuring::CardSeries point;
  point.machine = mesh::cluster::load_machine(measuring::machine_file("alc-fitted"));
  point.nodes = a.integer(0);
  const double reduce = measuring::quiet_us(point);
  point.for_all = true;
  return measuring::quiet_us(point) - reduce;
}

// --- with noise

const char* algorithm_of(const std::string& where) {
  return where == "card" ? "reduce/f_nomial" : "reduce/4_ary_broadcast";
}
/// card or host, type, nodes, processes, repetitions, seed
Json series(const Arguments& a) {
  measuring::CardSeries point = point_of("alc-fitted", algorithm_of(a.word(0)), a.integer(2), a.word(1));
  point.processes = a.integer(3);
  point.protocol.repetitions = a.integer(4);
  point.seed = static_cast<std::uint64_t>(a.integer(5));
  const auto found = measuring::run(point);
  const auto distribution = measuring::Distribution::of(found.times);
  return {{"mean", found.mean_us()},           {"least", distribution.least},  {"most", distribution.most},
          {"repetitions", found.times.size()}, {"simulated", found.simulated}, {"digest", found.digest}};
}
double weight(const Arguments& a) {
  return a.number(2) * a.number(4) * (a.word(0) == "host" ? 1 : 0.01);
}
/// card or host, repetitions: of 900 nodes, timed singly. Times in picoseconds.
Json singly(const Arguments& a) {
  measuring::CardSeries point = point_of("alc-fitted", algorithm_of(a.word(0)), consistency_nodes, "float64");
  point.protocol.timed_singly = true;
  point.protocol.repetitions = a.integer(1);
  const auto found = measuring::run(point);
  const auto distribution = measuring::Distribution::of(found.times);
  return {{"mean", distribution.kept_mean},
          {"deviation", distribution.kept_deviation},
          {"mode", distribution.mode},
          {"least", distribution.least},
          {"most", distribution.most},
          {"simulated", found.simulated},
          {"digest", found.digest},
          {"repetitions", found.times.size()},
          {"times", found.times}};
}

// --- the machine's parameters, the publication's model

/// The degree at which a full tree of many nodes is done first: f (ln f - 1) = L / (r + c) - 1.
Json full_tree_degree(const Arguments&) {
  const Config machine = mesh::cluster::load_machine(measuring::machine_file("alc"));
  const double wanted = cluster::CostModel(machine).latency / machine.receive - 1;
  double low = 1, high = 64;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (middle * (std::log(middle) - 1) < wanted ? low : high) = middle;
  }
  return low;
}
Json parameter(const Arguments& a) {
  const Config machine = mesh::cluster::load_machine(measuring::machine_file("alc"));
  return a.word(0) == "latency" ? cluster::CostModel(machine).latency
      : a.word(0) == "receive"  ? machine.receive
                                : mesh::microseconds(machine.combining(Operation::sum, Type::float64, 1));
}
/// degree, elements: of 31 nodes
Json formula(const Arguments& a) {
  const Config machine = mesh::cluster::load_machine(measuring::machine_file("alc"));
  const auto step = machine.card_step(vector_of("float64"), static_cast<std::uint32_t>(a.integer(1)));
  return cluster::CostModel(machine).f_nomial(31, a.integer(0), mesh::microseconds(step));
}
Json fitted(const Arguments&) {
  for (const auto& preset : mesh::built_in_presets("cluster"))
    if (preset.name == "alc-fitted")
      return fmt::format("{}",
                         fmt::join(mesh::ParameterFile(preset.text, preset.name).marked("fitted"), ", "));
  throw mesh::UserError("nic-reduction: there is no preset alc-fitted");
}

} // namespace

Measurements measurements(const CommonOptions& /*changes*/) {
  return {{{"on_card", 6, on_card},
           {"split", 2, split},
           {"serial", 3, serial},
           {"broadcast", 1, broadcast},
           {"series", 6, series, weight},
           {"single", 2, singly, [](const Arguments& a) { return a.number(1) * consistency_nodes; }}},
          {{"full_tree_degree", 0, full_tree_degree},
           {"parameter", 1, parameter},
           {"formula", 2, formula},
           {"fitted", 0, fitted}}};
}

} // namespace rccebench::publications::nic_reduction
