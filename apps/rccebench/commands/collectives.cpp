// SPDX-License-Identifier: Apache-2.0
// A command for each collective operation: algorithms, core counts and sizes as asked for, one row each.
#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "algorithms/operation.h"
#include "command_line/collective_results.hpp"
#include "command_line/sensitivity.hpp"
#include "commands/card_studies.hpp"
#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "page/document.hpp"
#include "show/schedules.hpp"

namespace rccebench {
namespace {

/// The table for readers: the columns of the full rows that say something here.
Table view_of(const CollectiveOptions& options, const std::vector<Point>& points,
              const std::vector<std::optional<Result>>& timings) {
  const Operation& operation = options.facts();
  const Kinds kinds = Kinds::of(points, options);
  Table view{"", {{"Algorithm", "", 0}, {kinds.only_cards() ? "Nodes" : "Cores", "", 0}}, {}};
  const bool spread = !points.empty() && !points.front().spread.is_none();
  if (operation.has_message) view.columns.push_back({"Size", "bytes", 0});
  if (kinds.per_rank) view.columns.push_back({"Per rank", "bytes", 0});
  if (operation.combines) view.columns.push_back({"Elements", "", 0});
  view.columns.push_back({"Options", "", 0});
  if (!kinds.only_cards())
    for (const char* const name : {"First to end", "Mean"}) view.columns.push_back({name, "us", 3});
  view.columns.push_back({kinds.only_cards() ? "Time" : "Last to end", "us", 3});
  if (kinds.ranks) view.columns.push_back({"Last rank", "", 0});
  if (kinds.last) view.columns.push_back({"Behind median", "us", 3});
  if (kinds.limits) add_limit_columns(view);
  if (spread) view.columns.push_back({"Spent by all", "us", 3});
  if (operation.has_message) view.columns.push_back({"Bandwidth", "MiB/s", 2});
  if (kinds.bus) view.columns.push_back({"Bus bandwidth", "MiB/s", 2});
  view.columns.push_back({"Check", "", 0});
  // Noise is a cluster's.
  const bool varies = kinds.cards && std::ranges::any_of(timings, [](const std::optional<Result>& one) {
                        return one && distribution_of(*one).deviation > 0;
                      });
  if (varies)
    for (const Column& column : {Column{"Deviation", "us", 2}, Column{"Least", "us", 3},
                                 Column{"Most", "us", 1}, Column{"Repetitions", "", 0}})
      view.columns.insert(view.columns.end() - 1, column);
  const bool several_machines = !points.empty() && points.front().machine_name != points.back().machine_name;
  if (several_machines) view.columns.insert(view.columns.begin(), {"Machine", "", 0});
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!timings[i]) continue;
    const Point& point = points[i];
    const Result& time = *timings[i];
    std::vector<Cell> row;
    if (several_machines) row.emplace_back(point.machine_name);
    row.insert(row.end(), {Cell{point.algorithm}, Cell{std::int64_t{point.cores}}});
    if (operation.has_message) row.emplace_back(point.bytes);
    if (kinds.per_rank) row.emplace_back(point.bytes / point.cores);
    if (operation.combines) row.emplace_back(point.elements());
    const std::string values = point.options_text();
    const bool timed = time.found.empty();
    const auto of_rank = [&](double us) { return time.of_ranks && timed ? Cell{us} : Cell{}; };
    row.push_back(values.empty() ? Cell{} : Cell{values});
    if (!kinds.only_cards()) row.insert(row.end(), {of_rank(time.min_us), of_rank(time.avg_us)});
    row.push_back(timed ? Cell{time.max_us} : Cell{});
    if (kinds.ranks) row.push_back(last_rank_of(time));
    if (kinds.last) row.push_back(last_behind_median(time));
    if (kinds.limits)
      for (Cell& cell : limit_cells(point, time.max_us)) row.push_back(std::move(cell));
    if (spread) row.push_back(timed ? Cell{time.spent_us} : Cell{});
    if (operation.has_message) row.push_back(bandwidth_of(point, time));
    if (kinds.bus) row.push_back(bus_bandwidth_of(point, time));
    if (varies) {
      const bool told = !time.of_ranks && !time.repetitions_us.empty();
      const Distribution times = distribution_of(time);
      for (const double us : {times.deviation, times.least, times.most})
        row.push_back(told ? Cell{us} : Cell{});
      row.emplace_back(std::int64_t{point.repetitions});
    }
    row.emplace_back(check_text(point, time));
    view.rows.push_back(std::move(row));
  }
  return view;
}

Status run_collective(const CollectiveOptions& options) {
  const auto points = options.swept_points();
  check_records(options.records, points.size(),
                "one of --algorithms, --cores and --sizes, and one value of other options");
  if (!points.empty()) check_records(options.records, points.front());
  const auto timings = measure_all(points, options.jobs);
  Report report = collective_report(options.operation, options, points, timings);
  report.views = {view_of(options, points, timings)};
  add_sensitivity(report, options, points, timings);
  add_limit_terms(report, options, points);
  if (!options.common.report_file.empty() && interrupted_status() == 0) {
    studies::add_distribution(report, points, timings);
    page::add_figure(report, show::schedules_of(show::small_points(points)));
  }
  const Status status = written(outcome_of(std::move(report)), options.common);
  if (options.records.any() && is_whole())
    points.front().backend->record(points.front(), options.records.asked(), timings.front()->fastest);
  return status;
}

std::string help_of(const rockcreek_operation_description& what) {
  std::string text = fmt::format("times of {}, for any algorithms, ", what.plural);
  if (what.has_message != 0) text += "sizes, ";
  text += "core counts";
  if (what.has_root != 0) text += ", roots";
  if (what.combines != 0) text += ", types, operators";
  return text + " and options";
}

void add(CommandLine& line, Status& status, const rockcreek_operation_description& what) {
  auto options = std::make_shared<CollectiveOptions>();
  auto study = std::make_shared<std::string>("rows");
  options->operation = what.name;
  options->sizes = "8192";
  Command command = line.add_command(what.name, help_of(what));
  command.when_met([options, study](Command& met) {
    options->add_to(met);
    options->records.add_to(met);
    options->add_per_rank_to(met);
    options->add_columns_to(met);
    add_sensitivity_to(met, *options);
    if (options->runs_on_cards() && options->facts().combines)
      met.option("--study", *study, studies::help()).one_of(studies::names()).with_default_in_help();
  });
  command.when_chosen([options, study, &status] {
    if (*study != "rows" && options->sensitivity)
      throw mesh::UserError("--sensitivity: it goes with rows of points; leave --study out");
    status = *study == "rows" ? run_collective(*options) : studies::run_study(*study, *options);
  });
}

} // namespace

void add_collectives(CommandLine& line, Status& status) {
  for (const rockcreek_operation_description& what : rockcreek_operations) add(line, status, what);
}

} // namespace rccebench
