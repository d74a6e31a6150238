// SPDX-License-Identifier: Apache-2.0
#include "commands/card_studies.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/collective_results.hpp"
#include "lab.hpp"
#include "lab/cards.hpp"
#include "measuring/card_cost_model.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "page/figures.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench::studies {
namespace {

/// Distributions that one figure holds apart.
constexpr std::size_t most_distributions = 4;

/// A study with the command's options on one machine.
class Study {
 public:
  explicit Study(const CollectiveOptions& options)
      : options_(options), machine_(std::make_shared<const Machine>(open_machine(options.common))) {
    if (!machine_->config.offers(mesh::Capability::cards))
      throw mesh::UserError(fmt::format("--study: machine '{}' has no network cards; ask for it on one of {}",
                                        machine_->config.name(),
                                        fmt::join(mesh::machines_with(mesh::Capability::cards), ", ")));
    const auto backend = backend_of(*machine_);
    const auto usual = backend->usual_ranks(*machine_);
    for (const auto count : options.some_cores
             ? read_numbers(options.cores, "--nodes", 2, backend->most_ranks(*machine_), "nodes")
             : usual)
      nodes_.push_back(static_cast<int>(count));
  }

  [[nodiscard]] const std::vector<int>& nodes() const { return nodes_; }
  [[nodiscard]] std::vector<std::int64_t> sizes() const { return options_.message_sizes(); }
  /// The degrees of f_nomial: "8/4" has degree 8 in the first phase and 4 in all others.
  [[nodiscard]] std::vector<std::string> degrees() const {
    const auto asked = options_.asked.find("degree");
    return cut(asked == options_.asked.end() || asked->second.empty() ? "4" : asked->second, ',');
  }
  /// With the values that are asked for, the first of each.
  [[nodiscard]] Point point(const char* algorithm, int nodes, std::int64_t bytes) const {
    Point one{.machine = machine_,
              .machine_name = machine_->config.name(),
              .backend = backend_of(*machine_),
              .algorithm = options_.operation + "/" + algorithm,
              .cores = nodes,
              .bytes = bytes,
              .warm_up = 0,
              .type = options_.element_type(),
              .op = options_.op,
              .seed = static_cast<std::uint64_t>(options_.seed)};
    for (const auto& [name, text] : options_.asked)
      if (!text.empty() && one.row().parameter(name) != nullptr && text != "both")
        one.options[name] = cut(text, ',').front();
    one.repetitions = options_.some_repetitions ? options_.repetitions : one.backend->usual_repetitions(one);
    return one;
  }
  [[nodiscard]] Point quiet(const char* algorithm, int nodes, std::int64_t bytes) const {
    Point one = point(algorithm, nodes, bytes);
    one.options["noise"] = "off";
    one.repetitions = 1;
    return one;
  }
  /// Means in microseconds. Throws Unfinished.
  [[nodiscard]] std::vector<double> means_of(const std::vector<Point>& points) const {
    std::vector<double> means;
    for (const auto& result : measure_all(points, options_.jobs)) {
      if (!result) throw Unfinished();
      means.push_back(result->mean_us);
    }
    return means;
  }

 private:
  const CollectiveOptions& options_;
  std::shared_ptr<const Machine> machine_;
  std::vector<int> nodes_;
};

/// The point on its machine with one parameter changed.
template <class Value>
void set(Point& point, const char* parameter, Value value) {
  Machine machine = *point.machine;
  machine.config.set(parameter, value);
  point.machine = std::make_shared<const Machine>(std::move(machine));
}

std::string text_of(double number) {
  return fmt::format("{}", number);
}

double card_step_us(const Point& point) {
  return mesh::microseconds(Cards::config_of(point).card_step(Cards::vector_of(point), point.elements()));
}

Report model_study(const Study& study) {
  // The simulation with one thing more in each column.
  std::vector<Point> points;
  for (const int nodes : study.nodes())
    for (const std::int64_t bytes : study.sizes())
      for (const std::string& degrees : study.degrees()) {
        Point noisy = study.point("f_nomial", nodes, bytes), quiet = study.quiet("f_nomial", nodes, bytes);
        for (Point* point : {&noisy, &quiet}) point->options["degree"] = degrees;
        Point single = quiet, far = quiet, flat = quiet;
        for (Point* point : {&single, &far, &flat}) point->options["processes"] = "1";
        for (Point* point : {&far, &flat}) set(*point, "network.links", "off");
        set(flat, "network.distance", "off");
        points.insert(points.end(), {flat, far, single, quiet, noisy});
      }
  const auto us = study.means_of(points);
  Report report;
  report.table.columns = {{"Nodes", "", 0},      {"Elements", "", 0},         {"Degree", "", 0},
                          {"Formula", "us", 3},  {"Early children", "us", 3}, {"Distance", "us", 3},
                          {"Links", "us", 3},    {"Processes", "us", 3},      {"Noise", "us", 3},
                          {"Simulated", "us", 3}};
  constexpr std::size_t stages = 5;
  for (std::size_t i = 0; i < points.size(); i += stages) {
    const Point& point = points[i];
    const std::string& degrees = point.options.at("degree");
    const bool has_formula = degrees.find('/') == std::string::npos;
    const double formula = has_formula ? cluster::CostModel(Cards::config_of(point))
                                             .f_nomial(point.cores, std::stoi(degrees), card_step_us(point))
                                       : 0;
    report.table.rows.push_back(
        {std::int64_t{point.cores}, point.elements(), degrees, has_formula ? Cell{formula} : Cell{},
         has_formula ? Cell{us[i] - formula} : Cell{}, us[i + 1] - us[i], us[i + 2] - us[i + 1],
         us[i + 3] - us[i + 2], us[i + 4] - us[i + 3], us[i + 4]});
  }
  report.notes = {
      "# formula: C + L phases + (r + c) steps; each column behind it adds one effect to those before:",
      "# early children: subtrees of the last phase that are done before it, up to L",
      "# distance: paths over more or fewer than three switches",
      "# links: packets that wait for each other",
      "# processes: the step in shared memory",
      "# noise: the mean with daemons and late receives"};
  return report;
}

Report map_study(const Study& study) {
  constexpr int most_tried_degree = 8, most_tried_splits = 6;
  std::vector<Point> points;
  for (const int nodes : study.nodes())
    for (const std::int64_t bytes : study.sizes()) {
      points.push_back(study.quiet("awake_tree", nodes, bytes));
      const std::int64_t elements = points.back().elements();
      for (int degree = 2; degree <= most_tried_degree; ++degree)
        for (int splits = 0; splits <= most_tried_splits && elements >> splits >= 1 && nodes >> splits >= 1;
             ++splits) {
          points.push_back(study.quiet(splits == 0 ? "f_nomial" : "f_nomial_split", nodes, bytes));
          points.back().options["degree"] = std::to_string(degree);
          if (splits > 0) points.back().options["splits"] = std::to_string(splits);
        }
    }
  const auto us = study.means_of(points);
  Report report;
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
      std::size_t& fastest = points[i].options.contains("splits") ? best_split : best;
      if (fastest == 0 || us[i] < us[fastest]) fastest = i;
    }
    const double ahead = 100 * (1 - us[awake] / us[best]);
    least = std::min(least, ahead);
    most = std::max(most, ahead);
    const auto number = [&](std::size_t p, const char* name) {
      return Cell{std::int64_t{std::stoi(points[p].options.at(name))}};
    };
    std::vector<Cell> row{std::int64_t{points[awake].cores}, points[awake].elements(), number(best, "degree"),
                          us[best]};
    if (best_split > 0)
      row.insert(row.end(), {number(best_split, "degree"), number(best_split, "splits"), us[best_split]});
    else
      row.insert(row.end(), {Cell{}, Cell{}, Cell{}});
    row.insert(row.end(), {us[awake], ahead});
    report.table.rows.push_back(std::move(row));
  }
  report.notes = {fmt::format("# without noise; degrees 2 to {}, splits 0 to {}; awake_tree is {:.1f} to "
                              "{:.1f} % ahead of the best f_nomial",
                              most_tried_degree, most_tried_splits, least, most)};
  report.summary = {{"least_ahead_percent", least}, {"most_ahead_percent", most}};
  return report;
}

Report noise_study(const Study& study) {
  constexpr double factors[] = {0, 0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 4};
  std::vector<Point> points;
  for (const int nodes : study.nodes())
    for (const double factor : factors)
      for (const char* row : {"f_nomial", "awake_tree", "4_ary_broadcast"}) {
        Point& point = points.emplace_back(study.point(row, nodes, study.sizes().front()));
        const auto config = Cards::config_of(point);
        if (config.daemons <= 0 && config.late_chance <= 0)
          throw mesh::UserError(fmt::format(
              "--study noise: machine '{}' has no noise that could be multiplied (noise.daemons and "
              "noise.late_chance are 0); take one that has, as alc-fitted, or set them: --set "
              "noise.daemons=0.06",
              point.machine_name));
        if (factor == 0) point.options["noise"] = "off";
        set(point, "noise.daemons", text_of(config.daemons * factor));
        set(point, "noise.late_chance", text_of(std::min(1.0, config.late_chance * factor)));
      }
  const auto us = study.means_of(points);
  Report report;
  report.table.columns = {{"Nodes", "", 0},
                          {"Noise", "", 3},
                          {"f_nomial", "us", 2},
                          {"awake_tree", "us", 2},
                          {"4_ary_broadcast", "us", 2},
                          {"Host over card", "", 3}};
  std::map<int, double> crossing;
  std::size_t i = 0;
  for (const int nodes : study.nodes()) {
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
  report.notes.push_back("# noise: factor on the machine's rate of daemons and probability of late receives");
  report.notes.push_back("# host over card: 4_ary_broadcast, on the hosts, over f_nomial, on the cards");
  for (const auto& [nodes, factor] : crossing)
    report.notes.push_back(
        fmt::format("# {} nodes: f_nomial on cards and the hosts' tree take the same time at "
                    "{:.2f} times the noise; with less, the host leads",
                    nodes, factor));
  return report;
}

Report crossover_study(const Study& study) {
  constexpr int halvings = 20;
  constexpr double most_factor = 64;
  const auto& nodes = study.nodes();
  const std::int64_t bytes = study.sizes().front();
  std::vector<Point> hosts;
  for (const int count : nodes) hosts.push_back(study.point("4_ary_broadcast", count, bytes));
  const auto host_us = study.means_of(hosts);
  Report report;
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
      Point& point = points.emplace_back(study.point("f_nomial", nodes[i], bytes));
      set(point, "card.step_factor", text_of(Cards::config_of(point).step_factor * factors[i]));
    }
    return study.means_of(points);
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
    const double step = card_step_us(study.point("f_nomial", nodes[n], bytes));
    const bool crosses = free[n] < host_us[n] && high[n] < most_factor;
    report.table.rows.push_back({std::int64_t{nodes[n]}, host_us[n], present[n], step,
                                 crosses ? Cell{step * low[n]} : Cell{}, crosses ? Cell{low[n]} : Cell{}});
  }
  report.notes = {
      "# step: receiving and combining one message on the card; at the crossover, f_nomial on cards takes as "
      "long as the",
      "# hosts' 4-ary tree with its broadcast; '-': one of both is faster all the way from 0 to 64 steps"};
  return report;
}

struct KnownStudy {
  const char *name, *help;
  Report (*run)(const Study&);
};
constexpr KnownStudy studies[] = {
    {"model", "the cost model beside f_nomial, by term", model_study},
    {"map", "best degree and splits", map_study},
    {"noise", "where the card loses its lead", noise_study},
    {"crossover", "what the card's step may cost", crossover_study},
};

} // namespace

std::vector<std::string> names() {
  std::vector<std::string> all{"rows"};
  for (const KnownStudy& one : studies) all.emplace_back(one.name);
  return all;
}

std::string help() {
  std::string text = "rows (times of each)";
  for (const KnownStudy& one : studies) text += fmt::format(", {} ({})", one.name, one.help);
  return text;
}

Status run_study(const std::string& name, const CollectiveOptions& options) {
  if (!options.algorithms.empty())
    throw mesh::UserError(
        fmt::format("--algorithms '{}': a study chooses its own; leave it out, or take --study rows",
                    options.algorithms));
  if (const auto noise = options.asked.find("noise");
      name == "noise" && noise != options.asked.end() && !noise->second.empty() && noise->second != "on")
    throw mesh::UserError(fmt::format(
        "--noise '{}': --study noise runs several times the machine's own; leave it out", noise->second));
  if (const auto sizes = options.message_sizes();
      sizes.size() > 1 && (name == "noise" || name == "crossover"))
    throw mesh::UserError(
        fmt::format("--study {}: it is of one length, and {} are asked for; give --elements or "
                    "--sizes one",
                    name, sizes.size()));
  const auto* const study =
      std::ranges::find_if(studies, [&](const KnownStudy& one) { return name == one.name; });
  Outcome outcome;
  const Study asked(options);
  outcome.report = study->run(asked);
  outcome.report.title =
      fmt::format("rccebench {} --study {} {}", options.operation, name, rcce::version_text);
  outcome.report.settings =
      options.settings({asked.point("f_nomial", asked.nodes().front(), asked.sizes().front())});
  return written(outcome, options.common);
}

void add_distribution(Report& report, const std::vector<Point>& points,
                      const std::vector<std::optional<Result>>& timings) {
  constexpr int bins = 40;
  Table table{"calls by latency, with noise", {{"From", "us", 2}, {"To", "us", 2}}, {}};
  std::vector<const std::vector<double>*> series;
  double least = 1e300, most = 0;
  for (std::size_t i = 0; i < points.size() && series.size() < most_distributions; ++i) {
    if (!timings[i] || timings[i]->of_ranks || timings[i]->repetitions_us.size() < 2) continue;
    const Distribution times = distribution_of(*timings[i]);
    if (times.least == times.most) continue;
    least = std::min(least, times.least);
    most = std::max(most, times.most);
    series.push_back(&timings[i]->repetitions_us);
    table.columns.push_back(
        {fmt::format("{} {} nodes, {} elements", points[i].algorithm, points[i].cores, points[i].elements()),
         "", 0});
  }
  if (series.empty()) return;
  // The bins' edges are equally far apart on a logarithmic scale, and of three digits.
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
    for (const auto* times : series)
      row.emplace_back(static_cast<std::int64_t>(
          std::ranges::count_if(*times, [&](double us) { return us >= edges[i] && us < edges[i + 1]; })));
    table.rows.push_back(std::move(row));
  }
  if (report.figures.is_null()) report.figures = nlohmann::ordered_json::array();
  for (auto& figure : page::figures_of(table)) report.figures.push_back(std::move(figure));
}

} // namespace rccebench::studies
