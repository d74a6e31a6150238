// SPDX-License-Identifier: Apache-2.0
// rccebench validate: the model beside published point-to-point measurements of the chip, row by row, and the
// error of each group. Every figure of the model comes from running an RCCE program (folder programs/), not
// from a formula.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "command_line/commands.hpp"
#include "commands/validate_coherent.hpp"
#include "commands/validate_page.hpp"
#include "commands/validate_programs.hpp"
#include "lab.hpp"
#include "measuring/chip_figures.hpp"
#include "measuring/measured_rows.hpp"
#include "measuring/published.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "page/figures.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

struct Row {
  Published published;
  double model = 0;

  [[nodiscard]] double error_percent() const { return (model / published.value - 1) * 100; }
};

struct Errors {
  std::size_t rows = 0;
  double median = 0, worst = 0;
  std::string worst_row;
};

Errors errors_of(const std::vector<const Row*>& rows) {
  Errors errors;
  std::vector<double> sizes;
  for (const Row* row : rows) {
    sizes.push_back(std::abs(row->error_percent()));
    if (sizes.back() >= errors.worst) errors.worst = sizes.back(), errors.worst_row = row->published.id;
  }
  errors.rows = sizes.size();
  if (sizes.empty()) return errors;
  std::sort(sizes.begin(), sizes.end());
  errors.median = (sizes[(sizes.size() - 1) / 2] + sizes[sizes.size() / 2]) / 2;
  return errors;
}

nlohmann::ordered_json json_of(const Errors& errors) {
  return {{"median_abs_error_percent", errors.median},
          {"worst_abs_error_percent", errors.worst},
          {"rows", errors.rows}};
}

std::string point_of(const Published& row) {
  if (row.group == "tas") return fmt::format("core {}, {} hops", core_in(row.id), row.hops.value_or(0));
  if (row.group == "rtt32") return fmt::format("{} hops", row.hops.value_or(0));
  if (row.group.starts_with("pingpong")) return fmt::format("{} bytes", row.bytes.value_or(0));
  if (row.group == "line_cost" || row.group == "latency1")
    return row.quantity.substr(0, row.quantity.find(" ("));
  return fmt::format("{} cores", row.cores.value_or(0));
}

struct ValidateOptions {
  CommonOptions common;
  bool check = false;
  std::string median_over; ///< parameter and its values, "SECTION.NAME=NUMBERS"
  std::string data;        ///< the user's rows, in place of the published ones; empty: none
  UnsaidByTable unsaid;
  std::string programs; ///< folder; empty: the point-to-point measurements
};

/// As many decimals as the tolerances have, of which none is shown as another.
int decimals_of(const std::vector<MeasuredRow>& rows) {
  int decimals = 0;
  for (const MeasuredRow& row : rows) {
    const auto is_whole = [&](double scaled) {
      return std::abs(scaled - std::round(scaled)) < 1e-6 * scaled;
    };
    while (row.tolerance && decimals < 9 && !is_whole(*row.tolerance * std::pow(10, decimals))) ++decimals;
  }
  return decimals;
}

/// Rows of one's own, of any machine, in the table of the published ones.
Outcome validate_data(const ValidateOptions& options) {
  const CommonOptions& common = options.common;
  UnsaidByTable unsaid = options.unsaid;
  unsaid.machine_given = common.some_machine;
  MeasuredRows rows(options.data, common.choice(), unsaid);
  if (!rows.are_printed()) unsaid.refuse_beside(fmt::format("CSV ('{}')", options.data));
  const bool limited =
      std::ranges::any_of(rows.all(), [](const MeasuredRow& row) { return row.tolerance.has_value(); });
  if (options.check && !limited)
    throw mesh::UserError(
        fmt::format("--check: no row of '{}' has a tolerance; give some one, in percent, in a "
                    "column 'tolerance'",
                    options.data));
  if (!options.median_over.empty()) rows.take_median_over(options.median_over);
  const auto model = rows.model({});
  Report report;
  report.title = fmt::format("rccebench validate {}", rcce::version_text);
  report.settings = {{"machine", open_machine(common).description()},
                     {"data", options.data},
                     {"difference", "(model / measured - 1), in percent"}};
  rows.tell_translated(report);
  report.table.columns = {{"Group", "", 0},    {"Id", "", 0},   {"Point", "", 0},      {"Model", "", 3},
                          {"Measured", "", 3}, {"Unit", "", 0}, {"Difference", "%", 1}};
  const auto has = [&](std::string MeasuredRow::*member) {
    return std::ranges::any_of(rows.all(), [&](const MeasuredRow& row) { return !(row.*member).empty(); });
  };
  const bool uses = has(&MeasuredRow::use), sources = has(&MeasuredRow::source);
  if (limited) {
    report.table.columns.push_back({"Tolerance", "%", decimals_of(rows.all())});
    report.table.columns.push_back({"Within", "", 0});
  }
  if (uses) report.table.columns.push_back({"Use", "", 0});
  if (sources) report.table.columns.push_back({"Source", "", 0});
  std::map<std::string, std::vector<double>> by_group;
  constexpr double far = 100; // a model is wrong by less, a unit by more
  std::size_t checked = 0, within = 0;
  std::vector<std::string> far_rows;
  for (std::size_t i = 0; i < model.size(); ++i) {
    const MeasuredRow& row = rows.all()[i];
    const double percent = (model[i] / row.value - 1) * 100;
    if (model[i] > row.value * far || model[i] * far < row.value)
      far_rows.push_back(row.id.empty() ? row.point : row.id);
    by_group[row.group].push_back(percent);
    auto& cells = report.table.rows.emplace_back(
        std::vector<Cell>{row.group, row.id, row.point, model[i], row.value, row.unit, percent});
    const bool fits = !row.tolerance || std::abs(percent) <= *row.tolerance;
    checked += row.tolerance ? 1 : 0;
    within += row.tolerance && fits ? 1 : 0;
    if (limited) {
      cells.push_back(row.tolerance ? Cell{*row.tolerance} : Cell{});
      cells.push_back(row.tolerance ? Cell{fits} : Cell{});
    }
    if (uses) cells.emplace_back(row.use);
    if (sources) cells.emplace_back(row.source);
  }
  report.summary = nlohmann::ordered_json::object();
  for (auto& [group, percent] : by_group) {
    const double median = median_size(percent);
    report.notes.push_back(fmt::format("# {}: median absolute difference of {} {:.1f} %", group,
                                       mesh::counted(percent.size(), "row"), median));
    report.summary[group] = {{"median_abs_error_percent", median}, {"rows", percent.size()}};
  }
  if (!far_rows.empty())
    report.notes.push_back(fmt::format("# {} of {} {} more than {:.0f} times off the model, the first is "
                                       "{}: is the unit right?",
                                       far_rows.size(), mesh::counted(model.size(), "row"),
                                       far_rows.size() == 1 ? "is" : "are", far,
                                       mesh::shown(far_rows.front())));
  if (limited)
    report.notes.push_back(fmt::format("# {} of {} with a tolerance {} within it", within,
                                       mesh::counted(checked, "row"), within == 1 ? "is" : "are"));
  return {std::move(report), options.check && within < checked ? 1 : 0};
}

Outcome measure_validate(const ValidateOptions& options) {
  const Machine machine = open_machine(options.common);
  if (!options.data.empty() && !options.programs.empty())
    throw mesh::UserError("--data and --programs: each says what stands beside the model; give one of them");
  if (!options.data.empty()) return validate_data(options);
  options.unsaid.refuse_beside("published rows");
  if (!options.median_over.empty())
    throw mesh::UserError("--median-over: it is of measurements of your own; name them: --data FILE");
  if (!options.programs.empty()) return {validate_programs(machine, options.programs), 0};
  if (auto validation = validate_coherent(machine.config)) {
    if (options.check && !validation->checked)
      throw mesh::UserError(fmt::format("--check: no published row of machine '{}' has a tolerance, so none "
                                        "could fail; leave --check out, or give "
                                        "measurements with one: --data FILE",
                                        machine.config.name()));
    return {std::move(validation->report), options.check && !validation->within ? 1 : 0};
  }
  if (machine.config.offers(mesh::Capability::cards))
    throw mesh::UserError(fmt::format("--machine '{}': no published row is of single messages on a cluster; "
                                      "rccebench reproduce nic-reduction has what is published of reductions",
                                      options.common.machine));
  if (machine.config.cores() < 48)
    throw mesh::UserError(
        fmt::format("--machine '{}': it has {} cores, and the published figures need the 48 of the SCC",
                    options.common.machine, machine.config.cores()));
  const auto published = read_published(CsvTable(data_path("published.csv")));
  const std::vector<double> figures = chip_figures(machine, published);
  std::vector<Row> rows;
  rows.reserve(published.size());
  for (std::size_t i = 0; i < published.size(); ++i) {
    rows.push_back({published[i], figures.at(i)});
  }

  Report report;
  report.title = fmt::format("rccebench validate {}", rcce::version_text);
  report.settings = {{"machine", machine.description()},
                     {"published", "measured at cores 533 MHz, mesh 800 MHz, DRAM 800 MHz"},
                     {"difference", "(model / published - 1), in percent"},
                     {"use", "fit: the parameters were chosen with this row in sight; report: they were not"},
                     {"time", "simulated; code between library calls takes none (compute none)"}};
  report.table.columns = {{"Group", "", 0},       {"Id", "", 0},        {"Point", "", 0},
                          {"Model", "", 3},       {"Published", "", 3}, {"Unit", "", 0},
                          {"Difference", "%", 1}, {"Use", "", 0},       {"Source", "", 0}};
  Table overview{
      "summary of absolute differences in percent; half the point-to-point rows were used to calibrate",
      {{"Group", "", 0},
       {"Rows", "", 0},
       {"Median", "%", 1},
       {"Worst", "%", 1},
       {"Worst row", "", 0},
       {"Median, fit", "%", 1},
       {"Median, report", "%", 1},
       {"Reach", "", 0}},
      {}};
  bool reached = true;
  report.summary = nlohmann::ordered_json::object();
  report.figures = nlohmann::ordered_json::array();
  for (const ChipGroup& group : chip_groups()) {
    Table view{fmt::format("{}\n# model: {}", group.title, group.how),
               {{"Point", "", 0},
                {"Model", "", 3},
                {"Published", "", 3},
                {"Unit", "", 0},
                {"Diff", "%", 1},
                {"Use", "", 0}},
               {}};
    std::vector<const Row*> all, fit, rest;
    std::set<std::string> sources;
    for (const Row& row : rows) {
      if (row.published.group != group.key) continue;
      all.push_back(&row);
      (row.published.fit ? fit : rest).push_back(&row);
      sources.insert(row.published.source);
      const std::string use = row.published.fit ? "fit" : "report";
      view.rows.push_back({point_of(row.published), row.model, row.published.value, row.published.unit,
                           row.error_percent(), use});
      report.table.rows.push_back({std::string(group.key), row.published.id, point_of(row.published),
                                   row.model, row.published.value, row.published.unit, row.error_percent(),
                                   use, row.published.source});
    }
    for (const std::string& source : sources) view.title += "\n# source: " + source;
    for (auto& figure : validation_figures(view)) report.figures.push_back(std::move(figure));
    report.views.push_back(std::move(view));

    const Errors errors = errors_of(all), fitted = errors_of(fit), reported = errors_of(rest);
    const bool limited = group.median_limit > 0 || group.worst_limit > 0;
    const bool within = (group.median_limit == 0 || errors.median <= group.median_limit) &&
        (group.worst_limit == 0 || errors.worst <= group.worst_limit);
    reached = reached && within;
    std::string reach = "-";
    if (limited) {
      reach = within ? "within" : "beyond";
      if (group.median_limit > 0) reach += fmt::format(" median {:.0f}", group.median_limit);
      if (group.worst_limit > 0) reach += fmt::format(" worst {:.0f}", group.worst_limit);
    }
    overview.rows.push_back({std::string(group.key), static_cast<std::int64_t>(errors.rows), errors.median,
                             errors.worst, errors.worst_row, fit.empty() ? Cell{} : Cell{fitted.median},
                             rest.empty() ? Cell{} : Cell{reported.median}, reach});
    auto json = json_of(errors);
    json["worst_row"] = errors.worst_row;
    if (!fit.empty()) json["fit"] = json_of(fitted);
    if (!rest.empty()) json["report"] = json_of(reported);
    if (limited) json["within_reach"] = within;
    report.summary[group.key] = std::move(json);
  }
  report.figures.insert(report.figures.begin(), page::table(overview));
  report.views.push_back(std::move(overview));
  return {std::move(report), options.check && !reached ? 1 : 0};
}

} // namespace

void add_validate(CommandLine& line, Status& status) {
  auto options = std::make_shared<ValidateOptions>();
  Command command = line.add_command("validate", "the model beside published measurements of the chip");
  options->common.add_to(command);
  options->common.add_report_to(command);
  options->common.add_sweep_to(command, nullptr);
  command.flag(
      "--check", options->check,
      "status 1 when a group's error is beyond its reach; with --data, when a row is beyond its tolerance");
  command.option(
      "--data", options->data,
      "your own measurements, CSV or a table of the OSU benchmarks, IMB or nccl-tests (rccebench(1), "
      "Measurements): these beside the model instead");
  options->unsaid.add_to(command);
  command.option(
      "--median-over", options->median_over,
      "with --data: the model is the median over these values, as dram.frame_seed=1-20:1 (default: as "
      "the machine is)");
  command.option(
      "--programs", options->programs,
      "folder of programs with published figures (NPB LU, class B: lu.B.1, lu.B.2 ... lu.B.32), built by "
      "rccecc --memory: these beside the model instead");
  command.when_chosen([options, &status] { status = on_each_machine(*options, measure_validate); });
}

} // namespace rccebench
