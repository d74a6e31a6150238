// SPDX-License-Identifier: Apache-2.0
// rccebench compare: all algorithms of an operation over sizes and core counts, the winner of each row, where
// one gives way to another, and what `auto` takes.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/collective_results.hpp"
#include "command_line/sensitivity.hpp"
#include "commands/compare_machines.hpp"
#include "commands/compare_page.hpp"
#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "page/figures.hpp"
#include "show/schedules.hpp"

namespace rccebench {
namespace {

std::string short_name(const std::string& algorithm) {
  return algorithm.substr(algorithm.find('/') + 1);
}

/// By how much the time of each algorithm in a row moves, in percent (sensitivity.hpp).
using Sensitivities = std::map<RowKey, std::map<std::string, double>>;

/// A wrong result is no competitor, however fast it came.
Curves curves_of(const std::vector<Point>& points, const std::vector<std::optional<Result>>& timings) {
  Curves curves;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i] || !is_right(points[i], *timings[i])) continue;
    auto& row = curves[{points[i].cores, points[i].bytes}];
    const auto [at, fresh] = row.emplace(points[i].algorithm, timings[i]->max_us);
    if (!fresh) at->second = std::min(at->second, timings[i]->max_us);
  }
  return curves;
}

/// The rows whose every point has been measured: only there somebody has won.
Curves finished_of(Curves curves, const std::vector<Point>& points,
                   const std::vector<std::optional<Result>>& timings) {
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!timings[i]) curves.erase({points[i].cores, points[i].bytes});
  return curves;
}

const std::string& fastest_of(const std::map<std::string, double>& row) {
  return std::min_element(row.begin(), row.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// The fastest, and those that are not slower by more than can be told.
using Winners = std::set<std::string>;
std::map<RowKey, Winners> winners_of(const Curves& curves, const Sensitivities& moves) {
  std::map<RowKey, Winners> all;
  for (const auto& [where, row] : curves) {
    const auto moved_by = [&, where = where](const std::string& algorithm) {
      const auto at = moves.find(where);
      return at == moves.end() || !at->second.contains(algorithm) ? 0 : at->second.at(algorithm);
    };
    const std::string& fastest = fastest_of(row);
    for (const auto& [algorithm, us] : row) {
      const double margin = std::max({least_margin_percent, moved_by(fastest), moved_by(algorithm)});
      if (algorithm == fastest || us <= row.at(fastest) * (1 + margin / 100)) all[where].insert(algorithm);
    }
  }
  return all;
}

/// Which winners hang on the one assumed number that decides among broadcasts: with --sensitivity each point
/// is measured with other values of its span too: 8 is what the published crowd of 47 receivers asks for.
std::vector<std::string> port_notes(const CollectiveOptions& options, const std::vector<Point>& points,
                                    const std::map<RowKey, Winners>& winners) {
  constexpr const char* port = "tile.mpb_port_cycles";
  std::vector<std::string> notes;
  for (const char* const cycles : {"3", "5", "8"}) {
    std::vector<Point> moved = points;
    for (Point& point : moved) {
      auto machine = std::make_shared<Machine>(*point.machine);
      machine->config.set(port, cycles);
      point.machine = std::move(machine);
      point.statistics = point.checks = false;
    }
    Curves curves;
    const auto again = measure_all(moved, options.jobs);
    for (std::size_t i = 0; i < moved.size(); ++i)
      if (again[i] && again[i]->found.empty())
        curves[{moved[i].cores, moved[i].bytes}][moved[i].algorithm] = again[i]->max_us;
    for (const auto& [where, row] : curves) {
      const std::string& fastest = fastest_of(row);
      const auto before = winners.find(where);
      if (before == winners.end() || before->second.contains(fastest)) continue;
      notes.push_back(
          fmt::format("# {} cores, {} bytes: the winner depends on {}, which is assumed: {} with {}",
                      where.first, where.second, port, fastest, cycles));
    }
  }
  if (notes.empty()) notes.push_back(fmt::format("# no winner depends on {} between 3 and 8", port));
  return notes;
}

/// The choice of `auto` and its time: that of a requested point, or of one that is measured for this alone.
struct Automatic {
  Point point;
  std::optional<double> us;
};
using Automatics = std::map<RowKey, Automatic>; ///< nothing where it takes none

Automatics automatics_of(const std::vector<Point>& points) {
  std::map<int, std::set<std::int64_t>> sizes;
  std::map<int, const Point*> like;
  for (const Point& point : points) {
    sizes[point.cores].insert(point.bytes);
    like.emplace(point.cores, &point);
  }
  Automatics result;
  for (const auto& [cores, all] : sizes)
    for (const auto& [bytes, choice] :
         like.at(cores)->backend->automatic(*like.at(cores), {all.begin(), all.end()})) {
      Point point = *like.at(cores);
      point.algorithm = choice.algorithm;
      point.options = choice.options;
      point.bytes = bytes;
      result[{cores, bytes}] = {std::move(point), {}};
    }
  return result;
}

/// Lets the row of schedules carry out a schedule that the library keeps for a point, unless another was
/// asked for.
void take_kept_schedules(std::vector<Point>& points) {
  constexpr const char* parameter = "schedule";
  std::vector<Point> open;
  std::ranges::copy_if(points, std::back_inserter(open), [](const Point& point) {
    return point.row().parameter(parameter) != nullptr && !point.options.contains(parameter);
  });
  if (open.empty()) return;
  const Automatics automatics = automatics_of(open);
  for (Point& point : points) {
    const lab::Parameter* const known = point.row().parameter(parameter);
    if (known == nullptr || point.options.contains(parameter)) continue;
    const mesh::MeshShape mesh = point.machine->config.mesh();
    const std::string kept = fmt::format("{}x{}-{}", mesh.columns, mesh.rows, point.bytes);
    const auto automatic = automatics.find({point.cores, point.bytes});
    if (automatic != automatics.end() && automatic->second.point.algorithm == point.algorithm)
      point.options = automatic->second.point.options;
    else if (point.cores == point.machine->config.cores() && std::ranges::count(known->words, kept) > 0)
      point.options[parameter] = kept;
  }
}

/// Measures what has not been, and fills in the times.
void measure(Automatics& automatics, const std::vector<Point>& points,
             const std::vector<std::optional<Result>>& timings, unsigned jobs) {
  std::vector<Point> missing;
  std::vector<Automatic*> places;
  for (auto& [where, one] : automatics) {
    const std::string options = one.point.options_text();
    bool found = false;
    for (std::size_t i = 0; i < points.size() && !found; ++i)
      if (points[i].algorithm == one.point.algorithm && points[i].cores == where.first &&
          points[i].bytes == where.second && points[i].options_text() == options) {
        found = true;
        if (timings[i]) one.us = timings[i]->max_us;
      }
    if (found) continue;
    missing.push_back(one.point);
    places.push_back(&one);
  }
  if (interrupted_status() != 0) return;
  const auto measured = measure_all(missing, jobs);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (measured[i]) places[i]->us = measured[i]->max_us;
}

/// How far the time of `auto` is from the best of the row, in percent; below 0 where what it takes was not
/// asked for.
std::optional<double> behind(const Automatic& one, const std::map<std::string, double>& row) {
  if (!one.us) return std::nullopt;
  return (*one.us / row.at(fastest_of(row)) - 1) * 100;
}

std::string text_of(const Automatic& one) {
  const std::string options = one.point.asked_text();
  return short_name(one.point.algorithm) + (options.empty() ? "" : " " + options);
}

/// The three cells of a row about `auto`: what it takes, its time, how far that is from the best.
std::vector<Cell> cells_of(const Automatics& automatics, const RowKey& where, const Curves& curves) {
  const auto found = automatics.find(where);
  if (found == automatics.end()) return {Cell{}, Cell{}, Cell{}};
  const auto curve = curves.find(where);
  const auto distance = curve == curves.end() ? std::nullopt : behind(found->second, curve->second);
  return {text_of(found->second), found->second.us ? Cell{*found->second.us} : Cell{},
          distance ? Cell{*distance} : Cell{}};
}

nlohmann::ordered_json json_of(const Automatics& automatics, const Curves& curves) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [where, one] : automatics) {
    nlohmann::ordered_json entry{
        {"cores", where.first}, {"bytes", where.second}, {"takes", one.point.algorithm}};
    entry["options"] = one.point.asked_text();
    if (one.us) entry["simulated_us"] = *one.us;
    if (const auto row = curves.find(where); row != curves.end())
      if (const auto distance = behind(one, row->second)) entry["behind_best_percent"] = *distance;
    list.push_back(std::move(entry));
  }
  return list;
}

/// Cores by size, one column per algorithm; the winner carries a star, where the row is finished.
Table matrix(const CollectiveOptions& options, const Curves& curves, const std::map<RowKey, Winners>& winners,
             const Automatics& automatics, const std::vector<Point>& points) {
  const Operation& operation = options.facts();
  const std::vector<std::string> algorithms = options.chosen_algorithms();
  Table table{
      fmt::format("time until the last rank {}, us; * marks the fastest, and what is within {} % of it",
                  operation.until, least_margin_percent),
      {{"Cores", "", 0}},
      {}};
  if (operation.has_message) table.columns.push_back({"Size", "bytes", 0});
  const bool per_rank = options.per_rank && operation.has_blocks;
  if (per_rank) table.columns.push_back({"Per rank", "bytes", 0});
  for (const std::string& algorithm : algorithms)
    table.columns.push_back({short_name(algorithm), "", 0, true});
  table.columns.push_back({"Winner", "", 0});
  const auto like = std::ranges::find_if(
      points, [](const Point& point) { return !point.backend->limit(point).terms.empty(); });
  const bool limited = like != points.end();
  if (limited) add_limit_columns(table, 2);
  if (options.with_automatic)
    for (const Column& column :
         {Column{"`auto` takes", "", 0}, Column{"`auto`", "us", 2}, Column{"Behind", "%", 1}})
      table.columns.push_back(column);
  for (const auto& [where, row] : curves) {
    std::vector<Cell> cells{std::int64_t{where.first}};
    if (operation.has_message) cells.emplace_back(where.second);
    if (per_rank) cells.emplace_back(where.second / where.first);
    const auto found = winners.find(where);
    const Winners first = found == winners.end() ? Winners() : found->second;
    for (const std::string& algorithm : algorithms) {
      const auto at = row.find(algorithm);
      cells.push_back(at == row.end()
                          ? Cell{}
                          : Cell{fmt::format("{:.2f}{}", at->second, first.contains(algorithm) ? "*" : " ")});
    }
    cells.push_back(first.empty() ? Cell{} : Cell{fmt::format("{}", fmt::join(first, " = "))});
    if (limited) {
      Point point = *like;
      point.cores = where.first;
      point.bytes = where.second;
      for (Cell& cell : limit_cells(point, first.empty() ? 0 : row.at(fastest_of(row))))
        cells.push_back(std::move(cell));
    }
    if (options.with_automatic)
      for (Cell& cell : cells_of(automatics, where, curves)) cells.push_back(std::move(cell));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// Between the last size that some algorithm can have won from the last crossover on, and the first that none
/// of these can.
std::vector<Crossover> crossovers_of(const Curves& curves, const std::map<RowKey, Winners>& winners) {
  std::vector<Crossover> found;
  Winners leading;
  for (auto next = curves.begin(), last = curves.end(); next != curves.end(); last = next++) {
    const auto& [cores, bytes] = next->first;
    const Winners& here = winners.at(next->first);
    const bool goes_on = last != curves.end() && cores == last->first.first;
    Winners still;
    if (goes_on) std::ranges::set_intersection(leading, here, std::inserter(still, still.end()));
    if (!goes_on || !still.empty()) {
      leading = goes_on ? still : here;
      continue;
    }
    const std::string before =
        *std::ranges::min_element(leading, {}, [&](const std::string& one) { return last->second.at(one); });
    const std::string& after = fastest_of(next->second);
    leading = here;
    if (!next->second.contains(before) || !last->second.contains(after)) continue;
    const double gap_before = std::max(0.0, std::log(last->second.at(after) / last->second.at(before)));
    const double gap_after = std::log(next->second.at(before) / next->second.at(after));
    const double share = gap_before / (gap_before + gap_after);
    const double from = std::log(std::max(1.0, static_cast<double>(last->first.second)));
    const double to = std::log(static_cast<double>(bytes));
    found.push_back({cores, last->first.second, bytes, before, after, std::exp(from + share * (to - from))});
  }
  return found;
}

/// Every point: how far behind the winner of its cores and size.
Table distances(const CollectiveOptions& options, const std::vector<Point>& points,
                const std::vector<std::optional<Result>>& timings, const Curves& curves,
                const std::map<RowKey, Winners>& winners) {
  const Operation& operation = options.facts();
  const Kinds kinds = Kinds::of(points, options);
  Table table{"the distance of every point to the fastest of its row", {{"Cores", "", 0}}, {}};
  if (operation.has_message) table.columns.push_back({"Size", "bytes", 0});
  if (kinds.per_rank) table.columns.push_back({"Per rank", "bytes", 0});
  for (const Column& column :
       {Column{"Algorithm", "", 0}, Column{"Options", "", 0}, Column{"Simulated", "us", 2}})
    table.columns.push_back(column);
  if (kinds.last) table.columns.push_back({"Behind median", "us", 3});
  if (kinds.bus)
    for (const char* const name : {"Bandwidth", "Bus bandwidth"}) table.columns.push_back({name, "MiB/s", 2});
  for (const Column& column : {Column{"Behind", "%", 1}, Column{"Winner", "", 0}})
    table.columns.push_back(column);
  for (const auto& [where, row] : curves) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point& point = points[i];
      if (!timings[i] || !is_right(point, *timings[i]) || point.cores != where.first ||
          point.bytes != where.second)
        continue;
      std::vector<Cell> cells{std::int64_t{point.cores}};
      if (operation.has_message) cells.emplace_back(point.bytes);
      if (kinds.per_rank) cells.emplace_back(point.bytes / point.cores);
      const std::string values = point.options_text();
      cells.insert(cells.end(),
                   {point.algorithm, values.empty() ? Cell{} : Cell{values}, timings[i]->max_us});
      if (kinds.last) cells.push_back(last_behind_median(*timings[i]));
      if (kinds.bus)
        cells.insert(cells.end(), {bandwidth_of(point, *timings[i]), bus_bandwidth_of(point, *timings[i])});
      cells.insert(cells.end(),
                   {(timings[i]->max_us / row.at(fastest_of(row)) - 1) * 100,
                    std::string(winners.at(where).contains(point.algorithm) ? "*" : "")});
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

using Timings = std::vector<std::optional<Result>>;

/// The fastest point of each algorithm on the most cores with the largest message, by time.
std::vector<std::size_t> pictured(const std::vector<Point>& points, const Timings& timings) {
  RowKey where{};
  for (const Point& point : points) where = std::max(where, RowKey{point.cores, point.bytes});
  std::map<std::string, std::size_t> best;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i] || !is_right(points[i], *timings[i]) || RowKey{points[i].cores, points[i].bytes} != where)
      continue;
    const auto [at, fresh] = best.emplace(points[i].algorithm, i);
    if (!fresh && timings[i]->max_us < timings[at->second]->max_us) at->second = i;
  }
  std::vector<std::size_t> chosen;
  for (const auto& [name, i] : best) chosen.push_back(i);
  std::ranges::stable_sort(chosen, {}, [&](std::size_t i) { return timings[i]->max_us; });
  return chosen;
}

/// Die, cores' time and who sends data to whom, of each algorithm.
std::optional<page::Json> pictures(const std::vector<Point>& points, const Timings& timings,
                                   unsigned threads) {
  const std::vector<std::size_t> chosen = pictured(points, timings);
  const auto recorded = sweep<page::Json, std::size_t>(
      chosen, threads, [&](std::size_t i) { return points[i].backend->weight(points[i]); },
      [&](std::size_t i) { return points[i].backend->figures(points[i], timings[i]->fastest); });
  if (chosen.empty()) return {};
  page::Json choices = page::Json::array();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!recorded[i]) return {}; // Ctrl-C
    choices.push_back({{"name", points[chosen[i]].algorithm}, {"figures", *recorded[i]}});
  }
  const Point& one = points[chosen.front()];
  const std::string size = one.operation().has_message ? fmt::format(", {} bytes", one.bytes) : "";
  return page::Json{
      {"kind", "choice"},
      {"title", "Each algorithm on the die"},
      {"note",
       fmt::format("One run of each on {} cores{}, the fastest first: the operation alone, from the "
                   "common release until each rank is done.",
                   one.cores, size)},
      {"choose", "algorithm"},
      {"choices", std::move(choices)}};
}

/// Adds the figures of the HTML report. The last are a run of each algorithm, and the rounds of all.
void add_page(Report& report, const CollectiveOptions& options, const std::vector<Point>& points,
              const Timings& timings, const Curves& curves, const std::vector<Crossover>& crossovers) {
  report.lead =
      fmt::format("Time until the last rank {}, each algorithm beside the others.", options.facts().until);
  const bool of_the_thesis = options.operation == "bcast" && options.common.machine.starts_with("scc");
  report.figures = options.facts().has_message
      ? compare_figures(curves, crossovers, options.chosen_algorithms(), of_the_thesis)
      : nlohmann::ordered_json::array();
  report.figures.push_back(page::table(report.views.front()));
  if (curves.empty() || interrupted_status() != 0) return;
  if (auto figure = pictures(points, timings, options.jobs)) report.figures.push_back(std::move(*figure));
  report.figures.push_back(show::schedules_of(show::small_points(points)));
}

Outcome measure_compare(const CollectiveOptions& options) {
  auto points = options.points();
  take_kept_schedules(points);
  const auto timings = measure_all(points, options.jobs);
  Report report = collective_report("compare", options, points, timings);
  const std::vector<double> moves = add_sensitivity(report, options, points, timings);
  Sensitivities sensitivities;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double& most = sensitivities[{points[i].cores, points[i].bytes}][points[i].algorithm];
    most = std::max(most, moves[i]);
  }

  const Curves curves = curves_of(points, timings), finished = finished_of(curves, points, timings);
  const auto winners = winners_of(finished, sensitivities);
  Automatics automatics;
  if (options.with_automatic && interrupted_status() == 0) automatics = automatics_of(points);
  measure(automatics, points, timings, options.jobs);
  for (const char* name : {"winner", "auto_takes"}) report.table.columns.push_back({name, "", 0});
  report.table.columns.push_back({"auto_us", "", 3});
  report.table.columns.push_back({"auto_behind_percent", "", 1});
  std::size_t row = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i]) continue;
    const RowKey where{points[i].cores, points[i].bytes};
    auto& cells = report.table.rows[row++];
    const auto first = winners.find(where);
    cells.push_back(!is_whole() && first == winners.end()
                        ? Cell{}
                        : Cell{first != winners.end() && first->second.contains(points[i].algorithm)});
    for (Cell& cell : cells_of(automatics, where, curves)) cells.push_back(std::move(cell));
  }
  report.views = {matrix(options, curves, winners, automatics, points),
                  distances(options, points, timings, finished, winners)};
  add_limit_terms(report, options, points);
  report.summary["auto"] = json_of(automatics, curves);
  auto& list = report.summary["crossovers"] = nlohmann::ordered_json::array();
  std::vector<std::string> notes;
  if (options.sensitivity && is_whole()) notes = port_notes(options, points, winners);
  const auto crossovers = crossovers_of(finished, winners);
  for (const Crossover& one : crossovers) {
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
  if (!options.common.report_file.empty()) add_page(report, options, points, timings, finished, crossovers);
  return outcome_of(std::move(report));
}

/// --algorithms leaves `auto` out unless it is one of the names: its choice is another run for each point.
void take_automatic(CollectiveOptions& options) {
  if (options.algorithms.empty()) return;
  std::vector<std::string> names = cut(options.algorithms, ',');
  options.with_automatic = std::erase(names, "auto") > 0;
  if (names.empty())
    throw mesh::UserError("--algorithms 'auto': name algorithms beside it, or leave the option out");
  options.algorithms = fmt::format("{}", fmt::join(names, ","));
}

} // namespace

void add_compare(CommandLine& line, Status& status) {
  auto options = std::make_shared<CollectiveOptions>();
  options->sizes = "32-32768:x4,65536,131072,190000,524288,1048576,1900000";
  Command command =
      line.add_command("compare",
                       "all algorithms of an operation side by side: the fastest, the crossovers, the choice "
                       "of `auto` (with --algorithms if auto is among the names). --machine A,B,... compares "
                       "machines in one table; 'host' is this one");
  command.when_met([options](Command& met) {
    options->add_to(met);
    options->add_operation_to(met);
    options->add_per_rank_to(met);
    options->add_columns_to(met);
    add_sensitivity_to(met, *options);
  });
  command.when_chosen([options, &status] {
    take_automatic(*options);
    if (is_sheet(*options) && options->sensitivity)
      throw mesh::UserError("--sensitivity: it takes one machine; run the command once for each");
    if (is_sheet(*options))
      status = written(compare_machines(*options), options->common);
    else
      status = on_each_machine(*options, measure_compare);
  });
}

} // namespace rccebench
