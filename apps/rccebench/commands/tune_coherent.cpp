// SPDX-License-Identifier: Apache-2.0
#include "commands/tune_coherent.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/in_memory/machine_costs.hpp"
#include "lab.hpp"
#include "mesh_sim/machines/coherent/placement.hpp"
#include "page/figures.hpp"
#include "rcce_emu/version.hpp"
#include "commands/tune_page.hpp"

namespace rccebench {
namespace {

namespace cost = algorithms::in_memory::cost;

/// A shape of an operation on so many threads: fan-outs of a tree, or partners of a barrier.
struct Shape {
  std::string operation;
  int threads;
  std::vector<int> shape;
  double least_ns, most_ns; ///< by the closed forms
  bool chosen = false;      ///< the cheapest by them
};

/// Trees beside the chosen one that are simulated: the next ones by cost, and one fan-out for all levels.
constexpr std::size_t simulated_trees = 6;
constexpr int most_partners = 8;

std::vector<Shape> trees(const std::string& operation, const cost::Parameters& p, int threads) {
  const auto cost_of = [&](std::span<const int> k, cost::Bound bound) {
    return operation == "bcast" ? cost::broadcast(p, k, bound) : cost::reduction(p, k, bound);
  };
  std::vector<std::vector<int>> tried;
  for (const auto& tree : cost::best_trees(
           threads, simulated_trees, [&](std::span<const int> k) { return cost_of(k, cost::Bound::min); }))
    tried.push_back(tree.fan_outs);
  tried.push_back(cost::best_tree(threads, [&](std::span<const int> k) {
                    return cost_of(k, cost::Bound::max);
                  }).fan_outs);
  for (const int fan_out : {2, 3, 4, threads - 1}) {
    if (fan_out >= threads) continue;
    std::vector<int> fan_outs;
    while (algorithms::level_tree::capacity(fan_outs) < threads) fan_outs.push_back(fan_out);
    tried.push_back(std::move(fan_outs));
  }
  std::vector<Shape> shapes;
  for (auto& fan_outs : tried) {
    if (std::any_of(shapes.begin(), shapes.end(), [&](const Shape& one) { return one.shape == fan_outs; }))
      continue;
    const double least = cost_of(fan_outs, cost::Bound::min), most = cost_of(fan_outs, cost::Bound::max);
    shapes.push_back({operation, threads, std::move(fan_outs), least, most, shapes.empty()});
  }
  return shapes;
}

std::vector<Shape> radices(const cost::Parameters& p, int threads) {
  const int chosen = cost::best_radix(p, threads, cost::Bound::min).partners;
  std::set<int> tried{chosen};
  for (int partners = 1; partners <= std::min(most_partners, threads - 1); ++partners) tried.insert(partners);
  std::vector<Shape> shapes;
  for (const int partners : tried) {
    const int rounds = cost::rounds_of(threads, partners + 1);
    shapes.push_back({"barrier",
                      threads,
                      {partners},
                      cost::barrier(p, partners, rounds, cost::Bound::min),
                      cost::barrier(p, partners, rounds, cost::Bound::max),
                      partners == chosen});
  }
  return shapes;
}

Point point_of(const std::shared_ptr<const Machine>& machine, const Shape& shape) {
  Point point{.machine = machine, .machine_name = machine->config.name(), .backend = backend_of(*machine)};
  point.cores = shape.threads;
  point.repetitions = 3;
  const std::string text = fmt::format("{}", fmt::join(shape.shape, "/"));
  if (shape.operation == "barrier") {
    point.algorithm = "barrier/dissemination";
    point.options["partners"] = text;
    return point;
  }
  point.algorithm = shape.operation + "/level_tree";
  point.options["fan_outs"] = text;
  point.bytes = shape.operation == "bcast" ? static_cast<std::int64_t>(mesh::coherent::line_size) : 8;
  return point;
}

/// Shapes of other numbers of threads that are of one kind have one name.
std::string kind_of(const Shape& shape) {
  const int first = shape.shape.front();
  if (shape.operation == "barrier") return fmt::format("{} partner{}", first, first == 1 ? "" : "s");
  if (shape.shape.size() == 1) return "flat";
  const bool uniform =
      std::all_of(shape.shape.begin(), shape.shape.end(), [&](int fan_out) { return fan_out == first; });
  return uniform ? fmt::format("fan-out {}", first) : "";
}

const Column columns[] = {
    {"Operation", "", 0},        {"Threads", "", 0},     {"Shape", "", 0},  {"By costs, least", "ns", 0},
    {"By costs, most", "ns", 0}, {"Simulated", "us", 3}, {"Chosen", "", 0}, {"Fastest", "", 0}};

} // namespace

std::vector<std::int64_t> usual_threads(const mesh::coherent::Config& machine) {
  std::vector<std::int64_t> counts;
  for (std::int64_t count = 2; count < machine.cores(); count *= 2) counts.push_back(count);
  counts.push_back(machine.cores());
  return counts;
}

Report tune_coherent(const mesh::coherent::Config& config, const Machine& opened,
                     const std::vector<std::string>& operations,
                     const std::vector<std::int64_t>& thread_counts, unsigned jobs) {
  const auto machine = std::make_shared<const Machine>(opened);
  Report report;
  report.title = fmt::format("rccebench tune {}", rcce::version_text);
  report.settings = {
      {"machine", opened.description()},
      {"placement", "compact: threads fill node after node"},
      {"by costs",
       "closed forms of Ramos and Hoefler (2013) with the machine's parameters, polling at best "
       "and at worst"},
      {"simulated", "until the last thread has left; bcast of a line, reduce of one double, barrier"},
      {"shape", "fan-outs of the tree, or partners in each round of the barrier"}};
  std::vector<Shape> shapes;
  for (const std::string& operation : operations)
    for (const std::int64_t count : thread_counts) {
      const int threads = static_cast<int>(count);
      const auto placement = mesh::coherent::placement(config, "compact", threads);
      if (threads < 2) continue;
      const cost::Parameters p = cost::parameters_of(config, placement);
      const auto more = operation == "barrier" ? radices(p, threads) : trees(operation, p, threads);
      shapes.insert(shapes.end(), more.begin(), more.end());
    }
  std::vector<Point> points;
  for (const Shape& shape : shapes) points.push_back(point_of(machine, shape));
  const auto timings = measure_all(points, jobs);

  report.table.columns.assign(std::begin(columns), std::end(columns));
  Table best{"the best by costs beside the fastest that was simulated",
             {{"Operation", "", 0},
              {"Threads", "", 0},
              {"By costs", "", 0},
              {"least", "ns", 0},
              {"most", "ns", 0},
              {"Simulated", "us", 3},
              {"Fastest", "", 0},
              {"Fastest", "us", 3},
              {"Behind", "%", 1}},
             {}};
  auto& list = report.summary["best"] = nlohmann::ordered_json::array();
  std::vector<Candidate> candidates;
  bool right = true;
  for (std::size_t from = 0; from < shapes.size();) {
    std::size_t to = from, chosen = from, fastest = from;
    bool complete = true;
    for (; to < shapes.size() && shapes[to].operation == shapes[from].operation &&
         shapes[to].threads == shapes[from].threads;
         ++to) {
      complete = complete && timings[to].has_value();
      if (!complete) continue;
      if (shapes[to].chosen) chosen = to;
      if (timings[to]->max_us < timings[fastest]->max_us) fastest = to;
    }
    for (std::size_t i = from; complete && i < to; ++i) {
      right = right && timings[i]->wrong_bytes == 0;
      report.table.rows.push_back({shapes[i].operation, std::int64_t{shapes[i].threads},
                                   fmt::format("{}", fmt::join(shapes[i].shape, " ")), shapes[i].least_ns,
                                   shapes[i].most_ns, timings[i]->max_us, shapes[i].chosen, i == fastest});
      const auto& one = shapes[i];
      candidates.push_back({one.operation, one.threads, kind_of(one), timings[i]->max_us, one.chosen});
      if (!one.chosen) continue;
      candidates.push_back({.group = one.operation,
                            .x = one.threads,
                            .name = "chosen, by costs, least",
                            .us = one.least_ns / 1000,
                            .computed = true});
      candidates.push_back(candidates.back());
      candidates.back().name = "chosen, by costs, most";
      candidates.back().us = one.most_ns / 1000;
    }
    if (complete) {
      const Shape &one = shapes[chosen], &other = shapes[fastest];
      const double behind = (timings[chosen]->max_us / timings[fastest]->max_us - 1) * 100;
      best.rows.push_back({one.operation, std::int64_t{one.threads},
                           fmt::format("{}", fmt::join(one.shape, " ")), one.least_ns, one.most_ns,
                           timings[chosen]->max_us, fmt::format("{}", fmt::join(other.shape, " ")),
                           timings[fastest]->max_us, behind});
      list.push_back({{"operation", one.operation},
                      {"threads", one.threads},
                      {"by_costs", one.shape},
                      {"least_ns", one.least_ns},
                      {"most_ns", one.most_ns},
                      {"simulated_us", timings[chosen]->max_us},
                      {"fastest", other.shape},
                      {"fastest_us", timings[fastest]->max_us},
                      {"behind_percent", behind}});
    }
    from = to;
  }
  Table all = report.table;
  all.title = "all shapes that were simulated";
  report.views = {std::move(all), std::move(best)};
  report.figures = nlohmann::ordered_json::array();
  for (auto& figure : tune_figures(candidates, "threads", "1")) report.figures.push_back(std::move(figure));
  for (const Table& view : report.views) report.figures.push_back(page::table(view));
  report.summary["wrong_bytes"] = right ? 0 : 1;
  report.notes.push_back(right ? "# all results right" : "# wrong results");
  return report;
}

} // namespace rccebench
