// SPDX-License-Identifier: Apache-2.0
#include "cluster/options.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/cluster/kind.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench::cluster {

using algorithms::on_cards::least_degree;
using algorithms::on_cards::most_degree;
using algorithms::on_cards::ReduceRow;
using mesh::cluster::Config;

namespace {

constexpr int least_nodes = 2, most_splits = 16, most_in_flight = 4096;
constexpr std::int64_t nodes_in_all = 250'000, least_repetitions = 5, most_repetitions = 10'000;

template <class Enum>
Enum by_name(const std::string& word, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (name(static_cast<Enum>(i)) == word) return static_cast<Enum>(i);
  throw mesh::UserError(fmt::format("'{}' is no type or operation of a reduction", word));
}

std::vector<int> whole_numbers(const std::string& text, const std::string& option, int least, int most,
                               const std::string& unit) {
  std::vector<int> numbers;
  for (const auto number : read_numbers(text, option, least, most, unit))
    numbers.push_back(static_cast<int>(number));
  return numbers;
}

/// "64..65536" is 64, 128 ... 65536.
std::string with_ranges(const std::string& text) {
  std::vector<std::string> words = cut(text, ',');
  for (std::string& word : words)
    if (const auto dots = word.find(".."); dots != std::string::npos)
      word = word.substr(0, dots) + "-" + word.substr(dots + 2) + ":x2";
  return fmt::format("{}", fmt::join(words, ","));
}

} // namespace

bool asked_for(const std::vector<std::string>& words) {
  const std::string option = "--machine";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option && i + 1 < words.size() && mesh::offers(words[i + 1], mesh::Capability::cards))
      return true;
    if (words[i].starts_with(option + "=") &&
        mesh::offers(words[i].substr(option.size() + 1), mesh::Capability::cards))
      return true;
  }
  return false;
}

void Options::add_to(Command& command) {
  std::vector<std::string_view> names;
  for (const auto& row : algorithms::on_cards::reductions) names.push_back(row.name);
  command.option("--machine", common.machine,
                 fmt::format("cluster (alc-fitted), {} or a machine file",
                             fmt::join(mesh::machines_with(mesh::Capability::cards), ", ")));
  command.option("--set", common.settings,
                 "SECTION.NAME=VALUE: one parameter of the machine; may be repeated");
  command.option("--algorithms", algorithms,
                 fmt::format("names, with or without 'reduce/' (default: all): {}", fmt::join(names, ", ")));
  command.option("--nodes", nodes, "numbers of nodes: 64,906, 64-65536:x4 or 64..65536, which doubles")
      .with_default_in_help();
  command.option("--processes", processes, "on each node").between(1, 1024).with_default_in_help();
  command.option("--elements", elements, "lengths of the vector: 1,8 or 1..64").with_default_in_help();
  command.option("--type", type, "of the elements: int32, int64, float32 or float64")
      .one_of({"int32", "int64", "float32", "float64"})
      .with_default_in_help();
  command.option("--op", op, "operator: sum, min or max")
      .one_of({"sum", "min", "max"})
      .with_default_in_help();
  command.option("--degree", degrees, "of f_nomial trees: 2,4; one for each phase: 8/4/2")
      .with_default_in_help();
  command.option("--splits", splits, "of f_nomial_split: 0,3").with_default_in_help();
  command
      .option("--order", order,
              "in which cards combine: all (when all of a phase are there), list or arrival")
      .one_of({"all", "list", "arrival"})
      .with_default_in_help();
  command
      .option("--in-flight", in_flight,
              "reductions under way, without barriers, on cards: 1,1024; 0: one, with a barrier before it")
      .with_default_in_help();
  command.option("--noise", noise, "on, off, both, or a file of lines start TAB duration in ns")
      .with_default_in_help();
  command.option("--seed", seed, "of the noise").between(0, 2147483647).with_default_in_help();
  command
      .option("--repetitions", repetitions,
              "with noise (default: as many as make a quarter of a million nodes, 5 to 10,000)")
      .between(1, 1'000'000);
  command
      .option("--study", study,
              "rows (times of each), model (the cost model beside them, by term), map (best degree and "
              "splits), noise (where the card loses its lead), crossover (what the card's step may cost)")
      .one_of({"rows", "model", "map", "noise", "crossover"})
      .with_default_in_help();
  command.option("--jobs", jobs, "points simulated side by side (default: one per processor)")
      .between(1, most_jobs);
  common.add_output_to(command);
  common.add_report_to(command);
}

Config Options::machine() const {
  rcce::SoftwareCosts costs;
  Config config = *mesh::cluster_config(common.choice().read(costs));
  if (noise != "on" && noise != "off" && noise != "both") {
    config.trace = std::make_shared<const mesh::cluster::Trace>(mesh::cluster::read_trace(noise));
    config.daemons = 0;
  }
  if (processes > config.processors)
    throw mesh::UserError(
        fmt::format("--processes {}: a node of machine '{}' has {} processors, one for each process",
                    processes, config.name, config.processors));
  return config;
}

mesh::cluster::Vector Options::what() const {
  return {by_name<mesh::cluster::Type>(type, mesh::cluster::types),
          by_name<mesh::cluster::Operation>(op, mesh::cluster::operations)};
}

std::vector<int> Options::node_counts() const {
  return whole_numbers(with_ranges(nodes), "--nodes", least_nodes, mesh::cluster::most_nodes, "nodes");
}

std::vector<std::uint32_t> Options::lengths() const {
  std::vector<std::uint32_t> all;
  for (const int one : whole_numbers(with_ranges(elements), "--elements", 1,
                                     static_cast<int>(mesh::cluster::most_elements), "elements"))
    all.push_back(static_cast<std::uint32_t>(one));
  return all;
}

std::vector<std::vector<int>> Options::degree_lists() const {
  std::vector<std::vector<int>> all;
  for (const std::string& word : cut(degrees, ',')) {
    all.emplace_back();
    for (const std::string& one : cut(word, '/'))
      for (const int degree : whole_numbers(one, "--degree", least_degree, most_degree, "branches"))
        all.back().push_back(degree);
  }
  return all;
}

std::vector<int> Options::split_counts() const {
  return whole_numbers(splits, "--splits", 0, most_splits, "splits");
}

mesh::cluster::Order Options::combining_order() const {
  using mesh::cluster::Order;
  return order == "list" ? Order::list : order == "arrival" ? Order::arrival : Order::all;
}

std::vector<const ReduceRow*> Options::rows() const {
  std::vector<const ReduceRow*> all;
  if (algorithms.empty()) {
    for (const auto& row : algorithms::on_cards::reductions) all.push_back(&row);
    return all;
  }
  for (const std::string& word : cut(algorithms, ',')) all.push_back(&row_of(word));
  return all;
}

std::int64_t Options::repetitions_on(int count) const {
  return repetitions > 0
      ? repetitions
      : std::clamp<std::int64_t>(nodes_in_all / count, least_repetitions, most_repetitions);
}

Point Options::point(const ReduceRow& row, int count, std::uint32_t length) const {
  Point point;
  point.machine = machine();
  point.algorithm = row.name;
  if (row.has_degree) point.options.degrees = degree_lists().front();
  if (row.has_splits) point.options.splits = split_counts().front();
  point.options.order = combining_order();
  point.what = what();
  point.nodes = count;
  point.processes = processes;
  point.elements = length;
  point.seed = static_cast<std::uint64_t>(seed);
  point.protocol.repetitions = repetitions_on(count);
  point.for_all = for_all;
  return point;
}

std::vector<Point> Options::points() const {
  const auto under_way = whole_numbers(in_flight, "--in-flight", 0, most_in_flight, "reductions");
  std::vector<Point> all;
  for (const ReduceRow* row : rows())
    for (const int count : node_counts())
      for (const std::uint32_t length : lengths())
        for (const auto& degree : row->has_degree ? degree_lists() : std::vector<std::vector<int>>(1))
          for (const int split : row->has_splits ? split_counts() : std::vector<int>(1))
            for (const int window : under_way) {
              if (window > 0 && (row->place != mesh::cluster::Place::cards || for_all)) {
                if (algorithms.empty() && !for_all) continue;
                throw mesh::UserError(fmt::format(
                    "--in-flight {}: {} takes one at a time; several under way are for reduce on cards",
                    window, row->name));
              }
              Point one = point(*row, count, length);
              if (row->has_degree) one.options.degrees = degree;
              one.options.splits = split;
              one.protocol.in_flight = window;
              all.push_back(std::move(one));
            }
  return all;
}

std::vector<std::pair<std::string, std::string>> Options::settings() const {
  const Config config = machine();
  std::vector<std::pair<std::string, std::string>> all{
      {"machine", common.machine_name()},
      {"vector", fmt::format("{} {}", type, op)},
      {"nodes",
       fmt::format("{} process{} on each, {} processors", processes, processes == 1 ? "" : "es",
                   config.processors)}};
  if (noise == "off" || (!config.trace && config.daemons == 0 && config.late_chance == 0))
    all.emplace_back("noise", "none");
  else if (config.trace)
    all.emplace_back("noise", fmt::format("trace {}, seed {}", noise, seed));
  else
    all.emplace_back("noise",
                     fmt::format("{} daemons a second of {} ms, late by {} us with probability {}; seed {}",
                                 config.daemons, config.daemon_ms, config.late, config.late_chance, seed));
  all.emplace_back("calls", "on cards: a barrier in each; on hosts: a barrier, or the broadcast behind it");
  return all;
}

std::string options_text(const Point& point) {
  const ReduceRow& row = row_of(point.algorithm);
  std::vector<std::string> words;
  if (row.has_degree) words.push_back(fmt::format("degree={}", fmt::join(point.options.degrees, "/")));
  if (row.has_splits) words.push_back(fmt::format("splits={}", point.options.splits));
  if (row.has_order && point.options.order != mesh::cluster::Order::all)
    words.emplace_back(point.options.order == mesh::cluster::Order::list ? "order=list" : "order=arrival");
  if (point.protocol.in_flight > 0) words.push_back(fmt::format("in_flight={}", point.protocol.in_flight));
  return fmt::format("{}", fmt::join(words, " "));
}

} // namespace rccebench::cluster
