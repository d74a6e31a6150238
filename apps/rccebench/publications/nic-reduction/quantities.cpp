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
#include "publications/quantity.hpp"

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
Measured on_card(const Arguments& a) {
  measuring::CardSeries point =
      point_of(a.word(0).c_str(), "reduce/f_nomial", a.integer(1), a.word(2), a.integer(3));
  point.options.degrees = {a.integer(4)};
  point.processes = a.integer(5);
  return {{measuring::quiet_us(point)}};
}
/// elements, splits: of 512 nodes, fitted
Measured split(const Arguments& a) {
  measuring::CardSeries point =
      point_of("alc-fitted", "reduce/f_nomial_split", split_nodes, "float64", a.integer(0));
  point.options.splits = a.integer(1);
  return {{measuring::quiet_us(point)}};
}
/// nodes, type, elements: one node after the other at the root; `nop`: received, and dropped
Measured serial(const Arguments& a) {
  measuring::CardSeries point = point_of("alc", "reduce/serial", a.integer(0), a.word(1), a.integer(2));
  if (a.word(1) == "nop")
    for (auto& row : point.machine.combine)
      for (auto& values : row) values.assign(mesh::cluster::combining_points, 0);
  return {{measuring::quiet_us(point)}};
}
/// nodes: what an allreduce takes beyond a reduction
Measured broadcast(const Arguments& a) {
  measuring::CardSeries point;
  point.machine = mesh::cluster::load_machine(measuring::machine_file("alc-fitted"));
  point.nodes = a.integer(0);
  const double reduce = measuring::quiet_us(point);
  point.for_all = true;
  return {{measuring::quiet_us(point) - reduce}};
}

// --- with noise

const char* algorithm_of(const std::string& where) {
  return where == "card" ? "reduce/f_nomial" : "reduce/4_ary_broadcast";
}
/// card or host, type, nodes, processes, repetitions, seed
Measured series(const Arguments& a) {
  measuring::CardSeries point = point_of("alc-fitted", algorithm_of(a.word(0)), a.integer(2), a.word(1));
  point.processes = a.integer(3);
  point.protocol.repetitions = a.integer(4);
  point.seed = static_cast<std::uint64_t>(a.integer(5));
  const auto found = measuring::run(point);
  const auto distribution = measuring::Distribution::of(found.times);
  return {{found.mean_us(), distribution.least, distribution.most, static_cast<double>(found.times.size()),
           static_cast<double>(found.simulated)},
          found.digest};
}
double weight(const Arguments& a) {
  return a.number(2) * a.number(4) * (a.word(0) == "host" ? 1 : 0.01);
}
/// card or host, repetitions: of 900 nodes, timed singly. How many were simulated, then all times in
/// picoseconds.
Measured singly(const Arguments& a) {
  measuring::CardSeries point = point_of("alc-fitted", algorithm_of(a.word(0)), consistency_nodes, "float64");
  point.protocol.timed_singly = true;
  point.protocol.repetitions = a.integer(1);
  const auto found = measuring::run(point);
  Measured all{{static_cast<double>(found.simulated)}, found.digest};
  all.values.insert(all.values.end(), found.times.begin(), found.times.end());
  return all;
}

std::vector<mesh::Picoseconds> times_of(const std::vector<double>& measured) {
  return {measured.begin() + 1, measured.end()};
}
Value of_distribution(const std::vector<double>& measured, const Arguments& a) {
  const auto found = measuring::Distribution::of(times_of(measured));
  const std::string& what = a.word(2);
  return Value::of(what == "mean"            ? found.kept_mean
                       : what == "deviation" ? found.kept_deviation
                       : what == "mode"      ? found.mode
                       : what == "least"     ? found.least
                                             : found.most);
}
/// Bins of 2 us where the peaks are, wider ones behind: the end of that which begins there.
double end_of_bin(double from) {
  return from == 0 ? 50 : from < 120 ? from + 2 : from < 400 ? from + 20 : from * 2;
}
Value in_bin(const std::vector<double>& measured, const Arguments& a) {
  const double from = a.number(2) * mesh::picoseconds_per_microsecond,
               to = end_of_bin(a.number(2)) * mesh::picoseconds_per_microsecond;
  return Value::of(static_cast<double>(std::count_if(
      measured.begin() + 1, measured.end(), [&](double time) { return time >= from && time < to; })));
}

const MeasurementPointer on_cards = measurement("on_card", 6, on_card),
                         splits = measurement("split", 2, split), serials = measurement("serial", 3, serial),
                         broadcasts = measurement("broadcast", 1, broadcast),
                         all_series = measurement("series", 6, series, weight),
                         single = measurement("single", 2, singly, [](const Arguments&a) {
                           return a.number(1) * consistency_nodes;
                         });

// --- the machine's parameters, the publication's model

/// The degree at which a full tree of many nodes is done first: f (ln f - 1) = L / (r + c) - 1.
Value full_tree_degree(const std::vector<double>&, const Arguments&) {
  const Config machine = mesh::cluster::load_machine(measuring::machine_file("alc"));
  const double wanted = cluster::CostModel(machine).latency / machine.receive - 1;
  double low = 1, high = 64;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (middle * (std::log(middle) - 1) < wanted ? low : high) = middle;
  }
  return Value::of(low);
}
Value parameter(const std::vector<double>&, const Arguments& a) {
  const Config machine = mesh::cluster::load_machine(measuring::machine_file("alc"));
  return Value::of(a.word(0) == "latency" ? cluster::CostModel(machine).latency
                       : a.word(0) == "receive"
                       ? machine.receive
                       : mesh::cluster::microseconds(machine.combining(Operation::sum, Type::float64, 1)));
}
/// degree, elements: of 31 nodes
Value formula(const std::vector<double>&, const Arguments& a) {
  const Config machine = mesh::cluster::load_machine(measuring::machine_file("alc"));
  const auto step = machine.card_step(vector_of("float64"), static_cast<std::uint32_t>(a.integer(1)));
  return Value::of(cluster::CostModel(machine).f_nomial(31, a.integer(0), mesh::cluster::microseconds(step)));
}
Value fitted(const std::vector<double>&, const Arguments&) {
  for (const auto& preset : mesh::built_in_presets("cluster"))
    if (preset.name == "alc-fitted")
      return Value::of(
          fmt::format("{}", fmt::join(mesh::ParameterFile(preset.text, preset.name).marked("fitted"), ", ")));
  throw mesh::UserError("nic-reduction: there is no preset alc-fitted");
}

} // namespace

Quantities quantities() {
  return {
      {"on_card", "us", 6, on_cards, value_at(0)},
      {"split", "us", 2, splits, value_at(0)},
      {"serial", "us", 3, serials, value_at(0)},
      {"broadcast", "us", 1, broadcasts, value_at(0)},
      {"mean_of", "us", 6, all_series, value_at(0)},
      {"least_of", "us", 6, all_series, value_at(1)},
      {"most_of", "us", 6, all_series, value_at(2)},
      {"repeated", "", 6, all_series, value_at(3)},
      {"simulated", "", 6, all_series, value_at(4)},
      {"simulated_singly", "", 2, single, value_at(0)},
      {"repeated_singly", "", 2, single,
       [](const std::vector<double>& measured, const Arguments&) {
         return Value::of(static_cast<double>(measured.size() - 1));
       }},
      {"distribution", "us", 3, single, of_distribution},
      {"window", "%", 3, single,
       [](const std::vector<double>& measured, const Arguments& a) {
         return Value::of(measuring::share_in_window(times_of(measured), a.number(2)));
       }},
      {"in_bin", "", 3, single, in_bin},
      {"end_of_bin", "us", 1, nullptr,
       [](const std::vector<double>&, const Arguments& a) { return Value::of(end_of_bin(a.number(0))); }},
      {"full_tree_degree", "", 0, nullptr, full_tree_degree},
      {"parameter", "us", 1, nullptr, parameter},
      {"formula", "us", 2, nullptr, formula},
      {"fitted", "", 0, nullptr, fitted},
  };
}

} // namespace rccebench::publications::nic_reduction
