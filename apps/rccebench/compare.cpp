// rccebench compare: all algorithms of a broadcast (or barrier) over sizes and core counts, the winner of
// each row, where one gives way to another, and the predicted time beside the simulated.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "collective_options.hpp"
#include "sweep.hpp"

namespace rccebench {
namespace {

using algorithms::Operation;

/// Fastest time of each algorithm, by cores and size.
using Curves = std::map<std::pair<int, std::int64_t>, std::map<std::string, double>>;

std::string short_name(const std::string& algorithm) {
  return algorithm.substr(algorithm.find('/') + 1);
}

Curves curves_of(const std::vector<Collective>& points, const std::vector<std::optional<Timing>>& timings) {
  Curves curves;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i]) continue;
    auto& row = curves[{points[i].cores, points[i].bytes}];
    const auto [at, fresh] = row.emplace(points[i].algorithm, timings[i]->max_us);
    if (!fresh) at->second = std::min(at->second, timings[i]->max_us);
  }
  return curves;
}

const std::string& winner_of(const std::map<std::string, double>& row) {
  return std::min_element(row.begin(), row.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// What `auto` takes there, by prediction alone; no algorithm where it takes none.
algorithms::Choice choice_for(const std::vector<Collective>& points,
                              const std::pair<int, std::int64_t>& where) {
  for (const Collective& point : points) {
    if (point.cores != where.first || point.bytes != where.second) continue;
    algorithms::Call call = point.call();
    call.part_bytes = call.pipe_bytes = 0;
    return algorithms::choose(point.operation, point.platform(), call);
  }
  return {};
}

using Choices = std::map<std::pair<int, std::int64_t>, algorithms::Choice>; ///< by cores and bytes

std::string text_of(const algorithms::Choice& choice) {
  if (choice.algorithm == nullptr) return "";
  const std::string name = short_name(std::string(choice.algorithm->name));
  return choice.call.part_bytes > 0 ? fmt::format("{} in {}", name, choice.call.part_bytes) : name;
}

nlohmann::ordered_json json_of(const Choices& choices) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [where, choice] : choices) {
    if (choice.algorithm == nullptr) continue;
    nlohmann::ordered_json one{
        {"cores", where.first}, {"bytes", where.second}, {"takes", choice.algorithm->name}};
    if (choice.call.part_bytes > 0) one["part_bytes"] = choice.call.part_bytes;
    one["predicted_us"] = choice.predicted_us;
    list.push_back(std::move(one));
  }
  return list;
}

/// Cores by size, one column per algorithm; the winner carries a star.
Table matrix(const Curves& curves, const std::vector<std::string>& algorithms, const Choices& choices,
             bool bcast) {
  Table table{bcast ? "time until the last rank has everything, us; * marks the fastest"
                    : "time until the last rank is back, us; * marks the fastest",
              {{"Cores", "", 0}},
              {}};
  if (bcast) table.columns.push_back({"Size", "bytes", 0});
  for (const std::string& algorithm : algorithms)
    table.columns.push_back({short_name(algorithm), "", 0, true});
  table.columns.push_back({"Winner", "", 0});
  table.columns.push_back({"`auto` takes", "", 0});
  for (const auto& [where, row] : curves) {
    std::vector<Cell> cells{std::int64_t{where.first}};
    if (bcast) cells.emplace_back(where.second);
    const std::string& winner = winner_of(row);
    for (const std::string& algorithm : algorithms) {
      const auto at = row.find(algorithm);
      cells.push_back(at == row.end()
                          ? Cell{}
                          : Cell{fmt::format("{:.2f}{}", at->second, algorithm == winner ? "*" : " ")});
    }
    cells.emplace_back(winner);
    cells.emplace_back(text_of(choices.at(where)));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// Between two neighbouring sizes with different winners: where the two curves meet, each taken as a power of
/// the size.
struct Crossover {
  int cores;
  std::int64_t from_bytes, to_bytes;
  std::string from, to;
  double at_bytes;
};

std::vector<Crossover> crossovers_of(const Curves& curves) {
  std::vector<Crossover> found;
  for (auto next = curves.begin(), last = next == curves.end() ? next : next++; next != curves.end();
       last = next++) {
    const auto& [cores, bytes] = next->first;
    if (cores != last->first.first) continue;
    const std::string &before = winner_of(last->second), &after = winner_of(next->second);
    if (before == after || !next->second.contains(before) || !last->second.contains(after)) continue;
    const double gap_before = std::log(last->second.at(after) / last->second.at(before));
    const double gap_after = std::log(next->second.at(before) / next->second.at(after));
    const double share = gap_before + gap_after > 0 ? gap_before / (gap_before + gap_after) : 0.5;
    const double from = std::log(std::max(1.0, static_cast<double>(last->first.second)));
    const double to = std::log(static_cast<double>(bytes));
    found.push_back({cores, last->first.second, bytes, before, after, std::exp(from + share * (to - from))});
  }
  return found;
}

/// Every point: predicted beside simulated, and how far behind the winner of its cores and size.
Table predictions(const std::vector<Collective>& points, const std::vector<std::optional<Timing>>& timings,
                  const Curves& curves, bool bcast) {
  Table table{
      "simulated beside predicted (closed form, no contention), and the distance to the fastest of its row",
      {{"Cores", "", 0},
       {"Size", "bytes", 0},
       {"Algorithm", "", 0},
       {"Part", "bytes", 0},
       {"Simulated", "us", 2},
       {"Predicted", "us", 2},
       {"Difference", "%", 1},
       {"Behind", "%", 1},
       {"Winner", "", 0}},
      {}};
  for (const auto& [where, row] : curves) {
    const std::string& winner = winner_of(row);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Collective& point = points[i];
      if (!timings[i] || point.cores != where.first || point.bytes != where.second) continue;
      const double simulated = timings[i]->max_us;
      const auto predicted = point.predicted_us();
      const auto part = point.actual_part_bytes();
      table.rows.push_back({std::int64_t{point.cores}, point.bytes, point.algorithm,
                            part > 0 ? Cell{part} : Cell{}, simulated, predicted ? Cell{*predicted} : Cell{},
                            predicted ? Cell{(*predicted / simulated - 1) * 100} : Cell{},
                            (simulated / row.at(winner) - 1) * 100,
                            std::string(point.algorithm == winner ? "*" : "")});
    }
  }
  if (!bcast)
    for (const std::size_t column : {std::size_t{3}, std::size_t{1}}) {
      table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(column));
      for (auto& row : table.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    }
  return table;
}

Status run_compare(const CollectiveOptions& options) {
  const bool bcast = options.operation == Operation::bcast;
  const auto points = options.points();
  const auto timings = measure_all(points, options.jobs);
  Report report = collective_report("compare", options, points, timings);

  const Curves curves = curves_of(points, timings);
  Choices choices;
  for (const auto& [where, times] : curves) choices[where] = choice_for(points, where);
  report.table.columns.push_back({"winner", "", 0});
  std::size_t row = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (timings[i])
      report.table.rows[row++].emplace_back(winner_of(curves.at({points[i].cores, points[i].bytes})) ==
                                            points[i].algorithm);
  report.views = {matrix(curves, options.chosen_algorithms(), choices, bcast),
                  predictions(points, timings, curves, bcast)};
  report.summary["auto"] = json_of(choices);
  auto& list = report.summary["crossovers"] = nlohmann::ordered_json::array();
  std::vector<std::string> notes;
  for (const Crossover& one : crossovers_of(curves)) {
    list.push_back({{"cores", one.cores},
                    {"from", one.from},
                    {"to", one.to},
                    {"from_bytes", one.from_bytes},
                    {"to_bytes", one.to_bytes},
                    {"at_bytes", std::round(one.at_bytes)}});
    notes.push_back(fmt::format("# {} cores: {} gives way to {} at about {:.0f} bytes (between {} and {})",
                                one.cores, one.from, one.to, one.at_bytes, one.from_bytes, one.to_bytes));
  }
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  return finish(std::move(report), options.common);
}

} // namespace

void add_compare(CommandLine& line, Status& status) {
  auto options = std::make_shared<CollectiveOptions>(Operation::bcast);
  options->sizes = "32-32768:x4,65536,131072,190000,524288,1048576,1900000";
  Command command = line.add_command(
      "compare", "all algorithms side by side: winners, crossovers, predicted beside simulated");
  options->add_to(command);
  command.when_chosen([options, &status] { status = run_compare(*options); });
}

} // namespace rccebench
