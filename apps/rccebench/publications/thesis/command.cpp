// SPDX-License-Identifier: Apache-2.0
// rccebench thesis: the publication `thesis` with what is its own: all points as rows, machines that are
// changed, buffers that are never read, and a short form.
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/collective_results.hpp"
#include "command_line/commands.hpp"
#include "command_line/machine_parameters.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/errors.hpp"
#include "publications/judge.hpp"
#include "publications/publications.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

namespace pub = publications;
using pub::Done;

constexpr const char* figures_folder = "thesis-figures";

struct ThesisOptions {
  CommonOptions common;
  std::string figures = figures_folder;
  unsigned jobs = 0;
  bool no_check = false;
  bool quick = false;
};

/// A row for each point.
Table table_of(const std::vector<Done>& all) {
  std::vector<Point> points;
  for (const Done& one : all) points.push_back(one.point);
  const auto parameters = parameters_of(points);
  Table table;
  table.columns = collective_columns(operation_of("bcast"), parameters);
  table.columns.push_back({"frames", "", 0});
  table.columns.push_back({"plain_store_dram_cycles", "", 0});
  table.columns.push_back({"buffers_read", "", 0});
  for (const auto& [point, result] : all) {
    const auto& config = point.machine->config;
    auto& row = table.rows.emplace_back(collective_row(point, result, parameters));
    row.emplace_back(config.text("dram.frames"));
    row.emplace_back(static_cast<std::int64_t>(config.number("cache.plain_store_dram_cycles")));
    row.emplace_back(point.reads);
  }
  return table;
}

/// Rows of a figure as objects; by their first column where `named`.
nlohmann::ordered_json json_of(const pub::Judgement& result, const char* file, bool named = false) {
  auto json = named ? nlohmann::ordered_json::object() : nlohmann::ordered_json::array();
  for (const pub::Figure& figure : result.figures) {
    if (figure.file != file) continue;
    Report report;
    report.table = figure.table;
    const auto all = nlohmann::ordered_json::parse(to_text(report, Format::json));
    for (const auto& row : all["rows"])
      if (named)
        json[row.begin()->get<std::string>()] = row;
      else
        json.push_back(row);
  }
  return json;
}

void add_to_summary(nlohmann::ordered_json& summary, const pub::Judgement& result) {
  const auto variants = json_of(result, "variants");
  for (const auto& [key, value] : variants.at(0).items()) summary[key] = value;
  summary["best_sizes"] = json_of(result, "best_sizes");
  summary["ratios"] = json_of(result, "ratios", true);
  summary["table_cells"] = json_of(result, "table_cells");
  summary["variants"] = variants;
  summary["complete"] = result.complete;
}

/// The machine of variant A.
CommonOptions first_of(const ThesisOptions& options) {
  CommonOptions first = options.common;
  first.machine = "scc-fast";
  first.frames = "random";
  return first;
}

/// Refuses settings that the variants decide.
void check_settings(const CommonOptions& options) {
  for (const std::string& setting : options.settings)
    for (const char* name :
         {"dram.frames=", "cache.plain_store_l2_cycles=", "cache.plain_store_dram_cycles="})
      if (setting.starts_with(name))
        throw mesh::UserError(
            fmt::format("--set {}: the variants of the thesis differ in this; set something else", setting));
}

/// Each machine's in a folder of its own, where something is set.
std::filesystem::path folder_of(const ThesisOptions& options) {
  const auto& settings = options.common.settings;
  return settings.empty()
      ? std::filesystem::path(options.figures)
      : options.figures / std::filesystem::path(fmt::format("{}", fmt::join(settings, " ")));
}

/// Parameters that the command line sets on every machine, by their names.
pub::Json changes_of(const CommonOptions& options) {
  pub::Json all = pub::Json::object();
  for (const auto& setting : options.choice().settings) all[setting.parameter] = setting.value;
  return all;
}

pub::Case case_of(const ThesisOptions& options) {
  pub::Case what{
      .name = "thesis", .folder = data_path("thesis"), .options = changes_of(options.common), .keeps = true};
  pub::Json variants =
      options.quick ? pub::Json{"A", "I"} : pub::Json{"A", "B", "C", "D", "E", "F", "G", "H", "I"};
  if (options.no_check) variants.push_back("J");
  what.lists["variants"] = std::move(variants);
  if (options.quick) {
    what.leave_out = {"figure-", "Figure "};
    what.lists["frame_seeds"] = {1, 2, 3, 4, 5};
  }
  return what;
}

/// Writes figures 5 and 9 to 20; a note of it.
std::string write_curves(pub::Judgement result, const std::filesystem::path& folder) {
  std::erase_if(result.figures, [](const pub::Figure& one) { return !one.file.starts_with("figure-"); });
  const auto files = pub::write_figures(result, folder);
  return fmt::format("# {} figures as CSV in {}: {} ... {}", files.size(), folder.string(), files.front(),
                     files.back());
}

/// Machines are called as if only the command line had set something.
std::vector<Done> points_of(const pub::Measurer& measurer, const CommonOptions& options) {
  std::vector<Done> all = measurer.points();
  for (Done& one : all) {
    CommonOptions machine = options;
    const std::string& name = one.point.machine_name;
    machine.machine = name.substr(0, name.find(' '));
    one.point.machine_name = machine.machine_name();
  }
  return all;
}

Outcome measure_thesis(const ThesisOptions& options) {
  check_settings(options.common);
  if (options.quick && options.figures != figures_folder)
    throw mesh::UserError("--figures with --quick: the short form makes no figures; leave one of them out");
  if (!options.quick) pub::make_folder(folder_of(options));
  (void)open_machine(first_of(options)); // what is wrong in --set is said before anything is run
  pub::Measurer measurer("thesis", pub::publication("thesis").measurements(options.common), options.jobs);
  if (options.common.statistics) measurer.with_statistics();
  const pub::Judgement result = pub::judge(case_of(options), measurer);
  const std::vector<Done> done = points_of(measurer, options.common);

  Report report = result.report;
  report.title = fmt::format("rccebench thesis {}", rcce::version_text);
  report.table = table_of(done);
  add_to_summary(report.summary, result);
  std::int64_t wrong = 0;
  for (const auto& [point, timing] : done) {
    wrong += timing.wrong_bytes;
    if (timing.statistics != nullptr) report.statistics.emplace_back(point.run_name(), timing.statistics);
  }
  report.summary["wrong_bytes"] = wrong;
  if (!options.common.report_file.empty()) {
    pub::add_page(report, result);
    report.parameters = machine_parameters(first_of(options));
  }
  report.notes.push_back(options.quick ? "# short form, variants A and I alone, 5 seeds of frames; without "
                                         "--quick: every variant, 20 seeds, and the figures as CSV"
                                       : write_curves(result, folder_of(options)));
  report.notes.push_back(
      fmt::format("# {}{}, {}", result.complete ? "" : "interrupted: ", mesh::counted(done.size(), "point"),
                  done.empty()     ? "nothing compared"
                      : wrong == 0 ? "every byte compared on every rank: correct"
                                   : mesh::counted(wrong, "byte") + " arrived wrong"));
  const int status = wrong == 0 ? 0 : 1;
  return {std::move(report), interrupted_status() != 0 ? interrupted_status() : status};
}

} // namespace

void add_thesis(CommandLine& line, Status& status) {
  auto options = std::make_shared<ThesisOptions>();
  Command command = line.add_command("thesis",
                                     "the evaluation of the SCC broadcast thesis: figures, both tables, "
                                     "ratios, beside its published numbers");
  options->common.add_settings_to(command);
  options->common.add_output_to(command);
  options->common.add_statistics_to(command);
  options->common.add_report_to(command);
  command.option("--figures", options->figures, "folder for one CSV file per figure").with_default_in_help();
  options->common.add_sweep_to(command, &options->jobs);
  command.flag(
      "--no-check", options->no_check,
      "also the tables with buffers that no core ever reads, beside the others: what is only written "
      "stays uncached");
  command.flag(
      "--quick", options->quick,
      "short form: the best-argued variant and the fitted one alone, both tables and the ratios, no figures");
  command.when_chosen([options, &status] { status = on_each_machine(*options, measure_thesis); });
}

} // namespace rccebench
