// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "cluster/studies.hpp"
#include "lab.hpp"
#include "page/document.hpp"
#include "page/figures.hpp"
#include "show/schedules.hpp"

namespace rccebench::cluster {
namespace {

using mesh::cluster::Config;
using mesh::cluster::Ending;
using mesh::cluster::Values;

/// Vectors are combined, and their elements compared, only where they fit in so much memory.
constexpr std::size_t most_checked_bytes = std::size_t{1} << 28;

/// Distributions that one figure holds apart.
constexpr std::size_t most_distributions = 4;

template <class T>
bool right_as(const Point& point) {
  // Small whole numbers: their sums are exact in every type and order.
  const auto operand = [](int node, std::size_t i) {
    return static_cast<T>((node * 7 + static_cast<int>(i % 5)) % 11 - 5);
  };
  Values values(point.nodes, point.elements, point.what);
  std::vector<T> wanted(point.elements);
  for (int node = 0; node < point.nodes; ++node)
    for (std::size_t i = 0; i < point.elements; ++i) {
      const T value = operand(node, i);
      std::memcpy(values.of(node).data() + i * sizeof(T), &value, sizeof(T));
      T& best = wanted[i];
      if (node == 0)
        best = value;
      else if (point.what.operation == mesh::cluster::Operation::sum)
        best += value;
      else if (point.what.operation == mesh::cluster::Operation::min ? value < best : best < value)
        best = value;
    }
  Config quiet = point.machine;
  mesh::cluster::Machine machine(quiet, point.nodes, point.processes, point.seed);
  (void)machine.reduce(program_of(point), point.what, values);
  const int holders = row_of(point.algorithm).ending == Ending::everywhere ? point.nodes : 1;
  for (int node = 0; node < holders; ++node)
    if (std::memcmp(values.of(node).data(), wanted.data(), wanted.size() * sizeof(T)) != 0) return false;
  return true;
}

bool right(const Point& point) {
  switch (point.what.type) {
  case mesh::cluster::Type::int32:
    return right_as<std::int32_t>(point);
  case mesh::cluster::Type::int64:
    return right_as<std::int64_t>(point);
  case mesh::cluster::Type::float32:
    return right_as<float>(point);
  case mesh::cluster::Type::float64:
    break;
  }
  return right_as<double>(point);
}

/// How many calls took how long, of each point with noise: an HTML report shows it. The bins' edges are
/// equally far apart on a logarithmic scale, and of three digits.
Table distribution(const std::vector<std::pair<std::string, std::vector<mesh::Picoseconds>>>& series) {
  constexpr int bins = 40;
  Table table{"calls by latency, with noise", {{"From", "us", 2}, {"To", "us", 2}}, {}};
  double least = 1e300, most = 0;
  for (const auto& [name, times] : series) {
    table.columns.push_back({name, "", 0});
    for (const mesh::Picoseconds time : times) {
      least = std::min(least, mesh::cluster::microseconds(time));
      most = std::max(most, mesh::cluster::microseconds(time));
    }
  }
  std::vector<double> edges;
  for (int i = 0; i <= bins; ++i) {
    const double edge = least * std::pow(most / least * 1.01, static_cast<double>(i) / bins);
    const double digit = std::pow(10, std::floor(std::log10(edge)) - 2);
    edges.push_back(std::floor(edge / digit) * digit);
    if (edges.size() > 1 && edges.back() <= edges[edges.size() - 2]) edges.pop_back();
  }
  edges.back() = std::max(edges.back(), most * 1.01);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    std::vector<Cell> row{edges[i], edges[i + 1]};
    for (const auto& [name, times] : series)
      row.emplace_back(static_cast<std::int64_t>(std::ranges::count_if(times, [&](mesh::Picoseconds time) {
        const double us = mesh::cluster::microseconds(time);
        return us >= edges[i] && us < edges[i + 1];
      })));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The rounds of every algorithm that is asked for, with its standard parameters.
nlohmann::ordered_json schedules_of(const Options& options) {
  const std::vector<int> nodes = options.node_counts();
  std::vector<show::Asked> asked;
  for (const auto* row : options.rows()) {
    show::Asked& one = asked.emplace_back();
    one.common = options.common;
    one.name = row->name;
    one.cores = *std::max_element(nodes.begin(), nodes.end());
  }
  return show::schedules_of(asked);
}

} // namespace

Outcome rows_study(const Options& options) {
  const std::vector<Point> points = options.points();
  const bool quiet = options.noise == "off" || options.noise == "both";
  const bool noisy = options.noise != "off";
  std::vector<Point> asked;
  for (const Point& point : points) {
    if (quiet) {
      asked.push_back(point);
      asked.back().machine.daemons = asked.back().machine.late_chance = 0;
      asked.back().machine.trace = nullptr;
      if (point.protocol.in_flight == 0) asked.back().protocol.repetitions = 1;
    }
    if (noisy) asked.push_back(point);
  }
  const auto series = run_all(asked, options.jobs);

  Outcome outcome;
  Report& report = outcome.report;
  report.table.columns = {{"Algorithm", "", 0}, {"Options", "", 0}, {"Nodes", "", 0}, {"Elements", "", 0}};
  if (quiet) report.table.columns.push_back({"Quiet", "us", 3});
  if (noisy)
    report.table.columns.insert(report.table.columns.end(),
                                {{"Noisy", "us", 3},
                                 {"Deviation", "us", 2},
                                 {"Least", "us", 3},
                                 {"Most", "us", 1},
                                 {"Repetitions", "", 0},
                                 {"Simulated", "", 0}});
  report.table.columns.push_back({"Digest", "", 0});
  report.table.columns.push_back({"Check", "", 0});
  std::vector<std::pair<std::string, std::vector<mesh::Picoseconds>>> distributions;
  std::size_t next = 0;
  std::int64_t wrong = 0, unchecked = 0;
  for (const Point& point : points) {
    std::vector<Cell> row{point.algorithm, options_text(point), std::int64_t{point.nodes},
                          std::int64_t{point.elements}};
    if (quiet) row.emplace_back(series[next++].mean_us());
    std::uint64_t digest = series[next - (quiet ? 1 : 0)].digest;
    if (noisy) {
      const auto& one = series[next++];
      const Distribution times = Distribution::of(one.times);
      row.insert(row.end(),
                 {one.mean_us(), times.deviation, times.least, times.most,
                  static_cast<std::int64_t>(one.times.size()), one.simulated});
      digest = one.digest;
      if (distributions.size() < most_distributions && one.times.size() > 1)
        distributions.emplace_back(
            fmt::format("{} {} nodes, {} elements", point.algorithm, point.nodes, point.elements), one.times);
    }
    row.emplace_back(fmt::format("{:016x}", digest));
    const bool checked =
        static_cast<std::size_t>(point.nodes) * point.elements * mesh::cluster::bytes_of(point.what.type) <=
        most_checked_bytes;
    const bool fine = !checked || right(point);
    wrong += fine ? 0 : 1;
    unchecked += checked ? 0 : 1;
    row.emplace_back(std::string(!checked ? "-" : fine ? "ok" : "wrong"));
    report.table.rows.push_back(std::move(row));
  }
  if (!distributions.empty() && !options.common.report_file.empty()) {
    report.figures = nlohmann::ordered_json::array();
    for (const Table& one : {report.table, distribution(distributions)})
      for (auto& figure : page::figures_of(one)) report.figures.push_back(std::move(figure));
  }
  if (!options.common.report_file.empty() && interrupted_status() == 0)
    page::add_figure(report, schedules_of(options));
  outcome.right = wrong == 0;
  report.notes.push_back(
      wrong > 0 ? fmt::format("# wrong: the results of {} points", wrong)
          : unchecked > 0
          ? fmt::format("# every element compared: correct; {} points are too large for that", unchecked)
          : "# every element compared: correct");
  report.summary = {{"points", points.size()}, {"wrong", wrong}};
  return outcome;
}

} // namespace rccebench::cluster
