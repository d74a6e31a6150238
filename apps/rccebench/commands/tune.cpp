// SPDX-License-Identifier: Apache-2.0
// rccebench tune: what the parameters of the algorithms are best set to for each number of cores and size,
// and the table that `auto` of programs decides by.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/collective_results.hpp"
#include "commands/tune_coherent.hpp"
#include "commands/tune_page.hpp"
#include "commands/tune_table.hpp"
#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "mesh_sim/output_file.hpp"
#include "page/figures.hpp"

namespace rccebench {
namespace {

struct TuneOptions : CollectiveOptions {
  std::string store; ///< file for the table of `auto`; empty: none is written
  int bisect = 0;    ///< percent between two sizes; 0: no size is added
};

using Key = std::tuple<std::string, int, std::int64_t>; // algorithm, cores, bytes

/// Is a combination of tried sizes one that changes nothing against a smaller one? A part of twice the
/// message and more, and a segment of twice the part; `asked` values are all tried.
bool is_idle(const Point& point, const std::map<std::string, std::string>& asked) {
  std::int64_t whole = std::max<std::int64_t>(point.bytes, 256);
  for (const Parameter& parameter : point.row().parameters) {
    if (parameter.unit != "bytes") continue;
    const auto value = point.options.find(parameter.name);
    if (value == point.options.end()) continue;
    const std::int64_t size = std::stoll(value->second);
    const auto list = asked.find(parameter.name);
    if ((list == asked.end() || list->second.empty()) && size / 2 >= whole) return true;
    whole = size;
  }
  return false;
}

/// The point with the algorithm's standard values, called in the same way.
Point with_standards(Point point) {
  std::erase_if(point.options, [&row = point.row()](const auto& option) {
    const Parameter* const parameter = row.parameter(option.first);
    return parameter != nullptr && !parameter->of_call;
  });
  return point;
}

struct Tried {
  std::vector<Point> points;
  std::vector<std::string> without_values; ///< algorithms asked for that have no parameter to try values of
};

/// Every sensible combination of values, and the standard values. For the table of `auto` parameters that a
/// program settles once are left at their standard, and every algorithm takes part that `auto` may take.
Tried points_of(const TuneOptions& options) {
  const bool storing = !options.store.empty();
  const auto backend = backend_of(open_machine(options.common), options.files, generation_of(options.rcce));
  const auto names = options.chosen_algorithms(backend.get());
  if (names.empty()) return {options.points(), {}}; // which says what the machine has instead
  Tried all;
  for (const std::string& name : names) {
    const Row& row = backend->row(name);
    if (storing && !row.for_auto) {
      if (row.own_file || !options.algorithms.empty())
        throw mesh::UserError(fmt::format(
            "--store '{}': auto never takes {}, {}; leave it out (--algorithms)", options.store, name,
            row.own_file ? "which is of a file of yours" : "which needs what not every program has"));
      continue;
    }
    TuneOptions one = options;
    one.algorithms = name;
    bool tried = storing;
    for (const Parameter& parameter : row.parameters) {
      std::string& list = one.asked[parameter.name];
      if (list.empty() && !(storing && parameter.fixed)) list = parameter.tried;
      tried = tried || !list.empty();
    }
    std::erase_if(one.asked, [&row](const auto& entry) { return row.parameter(entry.first) == nullptr; });
    if (!tried) {
      all.without_values.push_back(name);
      continue;
    }
    std::set<std::tuple<int, std::int64_t, std::string>> known;
    const auto add = [&](Point point) {
      if (known.emplace(point.cores, point.bytes, point.options_text()).second)
        all.points.push_back(std::move(point));
    };
    for (Point& point : one.points()) {
      point.fills_mesh = !storing;
      if (storing && !is_idle(point, options.asked)) all.points.push_back(std::move(point));
      if (storing) continue;
      add(with_standards(point));
      if (!is_idle(point, options.asked)) add(std::move(point));
    }
  }
  return all;
}

using Groups = std::map<Key, std::vector<std::size_t>>; ///< measured points of one algorithm, cores and size

Groups groups_of(const std::vector<Point>& points, const std::vector<std::optional<Result>>& timings) {
  Groups groups;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!timings[i] || is_right(points[i], *timings[i]))
      groups[{points[i].algorithm, points[i].cores, points[i].bytes}].push_back(i);
  // Of what an interrupt has left unfinished nothing is the best.
  std::erase_if(groups, [&](const auto& group) {
    return std::any_of(group.second.begin(), group.second.end(),
                       [&](std::size_t i) { return !timings[i].has_value(); });
  });
  return groups;
}

std::size_t best_of(const std::vector<std::size_t>& group,
                    const std::vector<std::optional<Result>>& timings) {
  return *std::min_element(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
    return timings[a]->max_us < timings[b]->max_us;
  });
}

std::vector<Table> views_of(const CollectiveOptions& options, const std::vector<Point>& points,
                            const std::vector<std::optional<Result>>& timings,
                            nlohmann::ordered_json& summary) {
  const Operation& operation = options.facts();
  const bool per_rank = Kinds::of(points, options).per_rank;
  Table all{"all values", {{"Algorithm", "", 0}, {"Cores", "", 0}}, {}};
  Table best{"best values beside the defaults", {{"Algorithm", "", 0}, {"Cores", "", 0}}, {}};
  if (operation.has_message)
    for (Table* table : {&all, &best}) table->columns.push_back({"Size", "bytes", 0});
  if (per_rank)
    for (Table* table : {&all, &best}) table->columns.push_back({"Per rank", "bytes", 0});
  for (const Column& column : {Column{"Options", "", 0}, Column{"Last to end", "us", 3},
                               Column{"Behind best", "%", 1}, Column{"Best", "", 0}})
    all.columns.push_back(column);
  for (const Column& column : {Column{"Best options", "", 0}, Column{"Best", "us", 3},
                               Column{"Default", "us", 3}, Column{"Default behind", "%", 1}})
    best.columns.push_back(column);
  summary["best"] = nlohmann::ordered_json::array();
  for (const auto& [key, group] : groups_of(points, timings)) {
    const auto& [algorithm, cores, bytes] = key;
    const std::size_t winner = best_of(group, timings);
    const double least = timings[winner]->max_us;
    const Point plain = with_standards(points[winner]);
    std::optional<double> standard;
    const auto row_of = [&, cores = cores, bytes = bytes](const Point& point) {
      std::vector<Cell> row{point.algorithm, std::int64_t{cores}};
      if (operation.has_message) row.emplace_back(bytes);
      if (per_rank) row.emplace_back(bytes / cores);
      const std::string values = point.options_text();
      row.push_back(values.empty() ? Cell{} : Cell{values});
      return row;
    };
    for (const std::size_t i : group) {
      auto row = row_of(points[i]);
      row.insert(
          row.end(),
          {timings[i]->max_us, (timings[i]->max_us / least - 1) * 100, std::string(i == winner ? "*" : "")});
      all.rows.push_back(std::move(row));
      if (points[i].options_text() == plain.options_text()) standard = timings[i]->max_us;
    }
    auto row = row_of(points[winner]);
    row.insert(row.end(),
               {least, standard ? Cell{*standard} : Cell{},
                standard ? Cell{(*standard / least - 1) * 100} : Cell{}});
    best.rows.push_back(std::move(row));
    nlohmann::ordered_json one{{"algorithm", algorithm}, {"cores", cores}};
    if (operation.has_message) one["bytes"] = bytes;
    if (per_rank) one["bytes_per_rank"] = bytes / cores;
    one["options"] = points[winner].options_text();
    one["simulated_us_max"] = least;
    summary["best"].push_back(std::move(one));
  }
  return {std::move(all), std::move(best)};
}

/// Curves by size, of operations without a message by number of cores; the views as tables.
nlohmann::ordered_json figures_of(const Operation& operation, const std::vector<Point>& points,
                                  const std::vector<std::optional<Result>>& timings,
                                  const std::vector<Table>& views) {
  std::vector<Candidate> candidates;
  for (const auto& [key, group] : groups_of(points, timings)) {
    const auto& [algorithm, cores, bytes] = key;
    const std::size_t winner = best_of(group, timings);
    const Point plain = with_standards(points[winner]);
    for (const std::size_t i : group) {
      const std::string options = points[i].options_text();
      candidates.push_back(
          {operation.has_message ? fmt::format("{} on {} cores", algorithm, cores) : algorithm,
           operation.has_message ? bytes : cores, options.empty() ? "as it is" : options, timings[i]->max_us,
           i == winner, options == plain.options_text()});
    }
  }
  nlohmann::ordered_json figures = nlohmann::ordered_json::array();
  for (auto& one : operation.has_message ? tune_figures(candidates, "size", "bytes")
                                         : tune_figures(candidates, "cores", "1"))
    figures.push_back(std::move(one));
  for (const Table& view : views) figures.push_back(page::table(view));
  return figures;
}

Outcome measure_tune_coherent(const TuneOptions& options, const Machine& machine,
                              const mesh::coherent::Config& config) {
  if (!options.store.empty() || !options.algorithms.empty() || options.some_sizes)
    throw mesh::UserError(
        fmt::format("{}: machine '{}' has coherent caches: its trees and radices follow from its "
                    "parameters, with --operation and --cores only",
                    !options.store.empty()            ? "--store"
                        : !options.algorithms.empty() ? "--algorithms"
                                                      : "--sizes",
                    config.name));
  if (!options.common.host_file.empty() || options.common.statistics)
    throw mesh::UserError(
        fmt::format("{}: machine '{}' has coherent caches: its threads run on cores from 0 on, and "
                    "nothing is counted of them; leave the option out",
                    options.common.statistics ? "--statistics" : "--hostfile", config.name));
  std::vector<std::string> operations{"bcast", "reduce", "barrier"};
  if (options.some_operation) {
    if (std::find(operations.begin(), operations.end(), options.operation) == operations.end())
      throw mesh::UserError(fmt::format("--operation {}: in shared memory use one of {}", options.operation,
                                        fmt::join(operations, ", ")));
    operations = {options.operation};
  }
  const auto threads = options.some_cores
      ? read_numbers(options.cores, "--cores", 1, config.threads(), "threads")
      : usual_threads(config);
  return outcome_of(tune_coherent(config, machine, operations, threads, options.jobs));
}

Outcome measure_tune(const TuneOptions& options) {
  if (options.bisect != 0 && options.store.empty())
    throw mesh::UserError(
        fmt::format("--bisect {}: it adds sizes to the table that --store FILE writes", options.bisect));
  const Machine machine = open_machine(options.common);
  if (const auto config = mesh::coherent_config(machine.config))
    return measure_tune_coherent(options, machine, *config);
  const auto [points, without_values] = points_of(options);
  const auto timings = measure_all(points, options.jobs);
  Report report = collective_report("tune", options, points, timings);
  if (!without_values.empty())
    report.notes.insert(report.notes.begin(),
                        fmt::format("# no parameter to try values of: {}", fmt::join(without_values, ", ")));
  report.views = views_of(options, points, timings, report.summary);
  report.figures = figures_of(options.facts(), points, timings, report.views);
  if (!options.store.empty() && is_whole())
    mesh::write_output("--store", options.store,
                       table_of_auto(points, timings, options.bisect, options.jobs));
  return outcome_of(std::move(report));
}

} // namespace

void add_tune(CommandLine& line, Status& status) {
  auto options = std::make_shared<TuneOptions>();
  options->sizes = "8192,50000,190000";
  Command command = line.add_command(
      "tune",
      "best parameters of the algorithms for each message size, and the table of `auto`. On a machine with "
      "coherent caches: the best trees and radices by a formula, beside the simulation");
  command.when_met([options](Command& met) {
    options->add_to(met);
    options->add_operation_to(met);
    options->add_per_rank_to(met);
    met.option("--store", options->store,
               "write the table of `auto` to this file: the fastest algorithms and their options for each "
               "number of cores, with the sizes between which they change places (algorithms/tuned)")
        .writable();
    met.option("--bisect", options->bisect,
               "with --store: measure sizes between those asked for, until algorithms change places between "
               "two sizes that are at most so many percent apart")
        .between(1, 1000);
  });
  command.when_chosen([options, &status] {
    if (!options->store.empty() && each_machine(options->common).size() > 1)
      throw mesh::UserError(fmt::format(
          "--store '{}': the table of `auto` is of one machine; give --set one value", options->store));
    status = on_each_machine(*options, measure_tune);
  });
}

} // namespace rccebench
