// SPDX-License-Identifier: Apache-2.0
// rccebench bcast, barrier, reduce and allreduce: algorithms, core counts and sizes as asked for, one row
// each.
#include "cluster/studies.hpp"
#include "collective_options.hpp"
#include "lab.hpp"
#include "page/document.hpp"
#include "show/schedules.hpp"

namespace rccebench {
namespace {

/// What people read: the columns of the full rows that say something here.
Table view_of(const Operation& operation, const std::vector<Point>& points,
              const std::vector<std::optional<Result>>& timings) {
  Table view{"", {{"Algorithm", "", 0}, {"Cores", "", 0}}, {}};
  const bool spread = !points.empty() && !points.front().spread.is_none();
  if (operation.has_message) view.columns.push_back({"Size", "bytes", 0});
  if (operation.combines) view.columns.push_back({"Elements", "", 0});
  for (const Column& column : {Column{"Options", "", 0}, Column{"First rank", "us", 3},
                               Column{"Mean", "us", 3}, Column{"Last rank", "us", 3}})
    view.columns.push_back(column);
  if (spread) view.columns.push_back({"Spent by all", "us", 3});
  if (operation.has_message) view.columns.push_back({"Bandwidth", "MiB/s", 2});
  view.columns.push_back({"Check", "", 0});
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
    if (operation.combines) row.emplace_back(point.elements());
    const std::string options = point.options_text();
    const auto of_rank = [&](double us) { return time.wall_clock ? Cell{} : Cell{us}; };
    row.insert(
        row.end(),
        {options.empty() ? Cell{} : Cell{options}, of_rank(time.min_us), of_rank(time.avg_us), time.max_us});
    if (spread) row.emplace_back(time.spent_us);
    if (operation.has_message) row.emplace_back(static_cast<double>(point.bytes) / time.max_us / 1.048576);
    row.emplace_back(std::string(time.wrong_bytes == 0 ? "ok" : "wrong"));
    view.rows.push_back(std::move(row));
  }
  return view;
}

Status run_collective(const CollectiveOptions& options) {
  const auto points = options.swept_points();
  check_records(options.records, points.size(),
                "one of --algorithms, --cores and --sizes, and one value of other options");
  const auto timings = measure_all(points, options.jobs);
  Report report = collective_report(options.operation, options, points, timings);
  report.views = {view_of(options.facts(), points, timings)};
  if (!options.common.report_file.empty() && interrupted_status() == 0)
    page::add_figure(report, show::schedules_of(show::small_points(points)));
  const Status status = written(outcome_of(std::move(report)), options.common);
  if (options.records.any() && interrupted_status() == 0)
    write_records(options.records, [&](const rcce::Records& asked) {
      return messages_of(points.front(), record_options())
          .recorded(points.front(), asked, timings.front()->fastest);
    });
  return status;
}

void add(CommandLine& line, Status& status, const char* operation, const char* what) {
  auto options = std::make_shared<CollectiveOptions>();
  options->operation = operation;
  options->sizes = "8192";
  Command command = line.add_command(operation, what);
  command.when_met([options](Command& met, const auto& words) {
    options->add_to(met, words);
    options->records.add_to(met);
  });
  command.when_chosen([options, &status] { status = run_collective(*options); });
}

/// Also on clusters, with the options that these have.
void add_reduction(CommandLine& line, Status& status, const char* operation, bool for_all, const char* what) {
  auto options = std::make_shared<CollectiveOptions>();
  auto on_cluster = std::make_shared<cluster::Options>();
  auto is_cluster = std::make_shared<bool>(false);
  options->operation = operation;
  options->sizes = "8192";
  on_cluster->for_all = for_all;
  Command command = line.add_command(operation, what);
  command.when_met([=](Command& met, const auto& words) {
    *is_cluster = cluster::asked_for(words);
    if (*is_cluster) {
      on_cluster->add_to(met);
    } else {
      options->add_to(met, words);
      options->records.add_to(met);
    }
  });
  command.when_chosen(
      [=, &status] { status = *is_cluster ? cluster::run_study(*on_cluster) : run_collective(*options); });
}

} // namespace

void add_bcast(CommandLine& line, Status& status) {
  add(line, status, "bcast", "broadcasts: any algorithms, sizes, core counts, roots, options");
}

void add_barrier(CommandLine& line, Status& status) {
  add(line, status, "barrier", "barriers: any algorithms, core counts and options");
}

void add_reduce(CommandLine& line, Status& status) {
  add_reduction(
      line, status, "reduce", false,
      "reductions to one root: any algorithms, sizes, core counts, roots, types, operators, options; "
      "--machine cluster: on network cards and their hosts, with options of their own");
}

void add_allreduce(CommandLine& line, Status& status) {
  add_reduction(line, status, "allreduce", true,
                "reductions for all: any algorithms, sizes, core counts, types, operators, options; "
                "--machine cluster: on network cards and their hosts, with options of their own");
}

} // namespace rccebench
