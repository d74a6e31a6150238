// SPDX-License-Identifier: Apache-2.0
#include "cluster/studies.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab.hpp"
#include "machine_sweep.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench::cluster {
namespace {

using mesh::cluster::Config;
using mesh::cluster::microseconds;

const auto& f_nomial_row() {
  return row_of("reduce/f_nomial");
}

Point without_noise(Point point) {
  point.machine.daemons = point.machine.late_chance = 0;
  point.machine.trace = nullptr;
  point.protocol = {};
  return point;
}

/// Means of points, in microseconds.
std::vector<double> means_of(const std::vector<Point>& points, unsigned jobs) {
  std::vector<double> means;
  for (const auto& series : run_all(points, jobs)) means.push_back(series.mean_us());
  return means;
}

} // namespace

Outcome model_study(const Options& options) {
  // The simulation with one thing more in each column.
  std::vector<Point> points;
  for (const int nodes : options.node_counts())
    for (const std::uint32_t elements : options.lengths())
      for (const auto& degrees : options.degree_lists()) {
        Point noisy = options.point(f_nomial_row(), nodes, elements);
        noisy.options.degrees = degrees;
        Point quiet = without_noise(noisy), single = quiet, far = quiet, flat = quiet;
        for (Point* point : {&single, &far, &flat}) point->processes = 1;
        for (Point* point : {&far, &flat}) point->machine.links = false;
        flat.machine.distance = false;
        points.insert(points.end(), {flat, far, single, quiet, noisy});
      }
  const auto us = means_of(points, options.jobs);
  Outcome outcome;
  Report& report = outcome.report;
  report.table.columns = {{"Nodes", "", 0},      {"Elements", "", 0},         {"Degree", "", 0},
                          {"Formula", "us", 3},  {"Early children", "us", 3}, {"Distance", "us", 3},
                          {"Links", "us", 3},    {"Processes", "us", 3},      {"Noise", "us", 3},
                          {"Simulated", "us", 3}};
  constexpr std::size_t stages = 5;
  for (std::size_t i = 0; i < points.size(); i += stages) {
    const Point& point = points[i];
    const CostModel model(point.machine);
    const double step = microseconds(point.machine.card_step(point.what, point.elements));
    const double formula = model.f_nomial(point.nodes, point.options.degrees.front(), step);
    const bool has_formula = point.options.degrees.size() == 1;
    report.table.rows.push_back(
        {std::int64_t{point.nodes}, std::int64_t{point.elements},
         fmt::format("{}", fmt::join(point.options.degrees, "/")), has_formula ? Cell{formula} : Cell{},
         has_formula ? Cell{us[i] - formula} : Cell{}, us[i + 1] - us[i], us[i + 2] - us[i + 1],
         us[i + 3] - us[i + 2], us[i + 4] - us[i + 3], us[i + 4]});
  }
  report.notes = {"# formula: C + L phases + (r + c) steps; early children: subtrees of the last phase that "
                  "are done before it,",
                  "# up to L; distance: switches more or less than three; links: packets that wait for each "
                  "other; processes: the",
                  "# step in shared memory; noise: the mean with daemons and late receives. Each column adds "
                  "to those before it."};
  return outcome;
}

Outcome map_study(const Options& options) {
  constexpr int most_tried_degree = 8, most_tried_splits = 6;
  const auto& split_row = row_of("reduce/f_nomial_split");
  std::vector<Point> points;
  for (const int nodes : options.node_counts())
    for (const std::uint32_t elements : options.lengths()) {
      points.push_back(without_noise(options.point(row_of("reduce/awake_tree"), nodes, elements)));
      for (int degree = 2; degree <= most_tried_degree; ++degree)
        for (int splits = 0; splits <= most_tried_splits && elements >> splits >= 1 && nodes >> splits >= 1;
             ++splits) {
          points.push_back(
              without_noise(options.point(splits == 0 ? f_nomial_row() : split_row, nodes, elements)));
          points.back().options.degrees = {degree};
          points.back().options.splits = splits;
        }
    }
  const auto us = means_of(points, options.jobs);
  Outcome outcome;
  Report& report = outcome.report;
  report.table.columns = {{"Nodes", "", 0},
                          {"Elements", "", 0},
                          {"Degree", "", 0},
                          {"f_nomial", "us", 3},
                          {"Split degree", "", 0},
                          {"Splits", "", 0},
                          {"f_nomial_split", "us", 3},
                          {"awake_tree", "us", 3},
                          {"Ahead of f_nomial", "%", 1}};
  double least = 1e300, most = -1e300;
  for (std::size_t i = 0; i < points.size();) {
    const std::size_t awake = i++;
    std::size_t best = 0, best_split = 0;
    for (; i < points.size() && points[i].algorithm != points[awake].algorithm; ++i) {
      if (points[i].options.splits == 0 && (best == 0 || us[i] < us[best])) best = i;
      if (points[i].options.splits > 0 && (best_split == 0 || us[i] < us[best_split])) best_split = i;
    }
    const double ahead = 100 * (1 - us[awake] / us[best]);
    least = std::min(least, ahead);
    most = std::max(most, ahead);
    const auto degree = [&](std::size_t p) { return std::int64_t{points[p].options.degrees.front()}; };
    std::vector<Cell> row{std::int64_t{points[awake].nodes}, std::int64_t{points[awake].elements},
                          degree(best), us[best]};
    if (best_split > 0)
      row.insert(row.end(),
                 {degree(best_split), std::int64_t{points[best_split].options.splits}, us[best_split]});
    else
      row.insert(row.end(), {Cell{}, Cell{}, Cell{}});
    row.insert(row.end(), {us[awake], ahead});
    report.table.rows.push_back(std::move(row));
  }
  report.notes = {fmt::format("# without noise; degrees 2 to {}, splits 0 to {}; awake_tree is {:.1f} to "
                              "{:.1f} % ahead of the best f_nomial",
                              most_tried_degree, most_tried_splits, least, most)};
  report.summary = {{"least_ahead_percent", least}, {"most_ahead_percent", most}};
  return outcome;
}

Outcome noise_study(const Options& options) {
  constexpr double factors[] = {0, 0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 4};
  const char* const rows[] = {"reduce/f_nomial", "reduce/awake_tree", "reduce/4_ary_broadcast"};
  std::vector<Point> points;
  for (const int nodes : options.node_counts())
    for (const double factor : factors)
      for (const char* row : rows) {
        points.push_back(options.point(row_of(row), nodes, options.lengths().front()));
        Config& machine = points.back().machine;
        machine.daemons *= factor;
        machine.late_chance = std::min(1.0, machine.late_chance * factor);
        if (factor == 0) machine.trace = nullptr;
      }
  const auto us = means_of(points, options.jobs);
  Outcome outcome;
  Report& report = outcome.report;
  report.table.columns = {{"Nodes", "", 0},
                          {"Noise", "", 3},
                          {"f_nomial", "us", 2},
                          {"awake_tree", "us", 2},
                          {"4_ary_broadcast", "us", 2},
                          {"Host over card", "", 3}};
  std::map<int, double> crossing;
  std::size_t i = 0;
  for (const int nodes : options.node_counts()) {
    double before = 0, factor_before = 0;
    for (const double factor : factors) {
      const double ratio = us[i + 2] / us[i];
      report.table.rows.push_back({std::int64_t{nodes}, factor, us[i], us[i + 1], us[i + 2], ratio});
      if (factor > 0 && (before < 1) != (ratio < 1) && !crossing.contains(nodes))
        crossing[nodes] = factor_before + (factor - factor_before) * (1 - before) / (ratio - before);
      before = ratio;
      factor_before = factor;
      i += 3;
    }
  }
  report.notes.push_back("# noise: how many times the machine's rate of daemons and chance of late receives");
  for (const auto& [nodes, factor] : crossing)
    report.notes.push_back(fmt::format("# {} nodes: f_nomial on cards and the hosts' tree take the same at "
                                       "{:.2f} times the noise; with less, the host leads",
                                       nodes, factor));
  return outcome;
}

Outcome crossover_study(const Options& options) {
  constexpr int halvings = 12;
  constexpr double most_factor = 64;
  const auto nodes = options.node_counts();
  std::vector<Point> hosts;
  for (const int count : nodes)
    hosts.push_back(options.point(row_of("reduce/4_ary_broadcast"), count, options.lengths().front()));
  const auto host_us = means_of(hosts, options.jobs);
  Outcome outcome;
  Report& report = outcome.report;
  report.table.columns = {{"Nodes", "", 0},
                          {"Host", "us", 2},
                          {"Card", "us", 2},
                          {"Step", "us", 3},
                          {"Step at crossover", "us", 3},
                          {"Factor", "", 3}};
  // All sizes are halved together, side by side.
  std::vector<double> low(nodes.size(), 0), high(nodes.size(), most_factor);
  const auto cards_at = [&](const std::vector<double>& factors) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      points.push_back(options.point(f_nomial_row(), nodes[i], options.lengths().front()));
      points.back().machine.step_factor *= factors[i];
    }
    return means_of(points, options.jobs);
  };
  const auto present = cards_at(std::vector<double>(nodes.size(), 1));
  const auto free = cards_at(low);
  for (int i = 0; i < halvings; ++i) {
    std::vector<double> middle(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) middle[n] = (low[n] + high[n]) / 2;
    const auto us = cards_at(middle);
    for (std::size_t n = 0; n < nodes.size(); ++n) (us[n] < host_us[n] ? low : high)[n] = middle[n];
  }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Point point = options.point(f_nomial_row(), nodes[n], options.lengths().front());
    const double step = microseconds(point.machine.card_step(point.what, point.elements));
    const bool crosses = free[n] < host_us[n];
    report.table.rows.push_back({std::int64_t{nodes[n]}, host_us[n], present[n], step,
                                 crosses ? Cell{step * low[n]} : Cell{}, crosses ? Cell{low[n]} : Cell{}});
  }
  report.notes = {
      "# step: receiving and combining one message on the card; at the crossover, f_nomial on cards takes as "
      "long as the",
      "# hosts' 4-ary tree with its broadcast; where it is '-', the host wins whatever a step costs"};
  return outcome;
}

int run_study(const Options& options) {
  const std::map<std::string, Outcome (*)(const Options&)> studies{{"rows", rows_study},
                                                                   {"model", model_study},
                                                                   {"map", map_study},
                                                                   {"noise", noise_study},
                                                                   {"crossover", crossover_study}};
  Outcome outcome = studies.at(options.study)(options);
  outcome.report.title =
      fmt::format("rccebench {} {}", options.for_all ? "allreduce" : "reduce", rcce::version_text);
  outcome.report.settings = options.settings();
  return written({std::move(outcome.report), outcome.right ? 0 : 1}, options.common);
}

} // namespace rccebench::cluster
