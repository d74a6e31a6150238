// SPDX-License-Identifier: Apache-2.0
// rccebench thesis: the evaluation of the SCC broadcast thesis on the simulated chip, beside its published
// numbers, and what it could not show: how much of DOPL's lead over the cube comes from the mesh, how much
// from the copy routines.
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collective_options.hpp"
#include "commands.hpp"
#include "granularity.hpp"
#include "lab.hpp"
#include "lab/messages.hpp"
#include "mesh_sim/errors.hpp"
#include "page/figures.hpp"
#include "page/parameters.hpp"
#include "rcce_emu/version.hpp"
#include "show/schedules.hpp"
#include "thesis/figures.hpp"
#include "thesis/page.hpp"
#include "thesis/plan.hpp"
#include "thesis/published.hpp"
#include "thesis/ratios.hpp"
#include "thesis/tables.hpp"
#include "thesis/variant.hpp"

namespace rccebench {
namespace {

constexpr const char* figures_folder = "thesis-figures";
constexpr std::int64_t drawn_bytes =
    16384; ///< of the broadcasts whose rounds are shown: four parts of the cube

struct ThesisOptions {
  CommonOptions common;
  std::string figures = figures_folder;
  unsigned jobs = 0;
  bool no_check = false;
  bool quick = false;
  bool exact = false;
};

constexpr double median_reach = 20; // percent, of the cells under the best-argued variant
constexpr int step_reach = 1;       // of the best piece size of a column

nlohmann::ordered_json json_of(const thesis::Comparison& result) {
  nlohmann::ordered_json json{{"cells", result.cells},
                              {"median_abs_error_percent", result.median_percent},
                              {"worst_abs_error_percent", result.worst_percent},
                              {"worst_cell", result.worst_cell},
                              {"median_error_percent", result.bias_percent},
                              {"cube_median_abs_error_percent", result.cube_median_percent},
                              {"dopl_median_abs_error_percent", result.dopl_median_percent}};
  auto& columns = json["best_sizes"] = nlohmann::ordered_json::array();
  for (const auto& column : result.columns)
    columns.push_back({{"table", thesis::name_of(column.table)},
                       {"message_bytes", column.message_bytes},
                       {"published", column.published_best},
                       {"simulated", column.simulated_best},
                       {"steps_apart", column.steps}});
  return json;
}

std::string yes_no(bool reached) {
  return reached ? "reached" : "missed";
}

/// The head of the report's end: what is reached of what was asked for.
Table verdict_of(const thesis::Comparison& result, const thesis::Comparison& without_misprint,
                 const std::vector<thesis::Ratio>& ratios) {
  Table table{"reach, under variant A; nothing is fitted to these numbers",
              {{"What", "", 0}, {"Wanted", "", 0}, {"Found", "", 0}, {"", "", 0}},
              {}};
  table.rows.push_back({fmt::format("median error of all {} cells", result.cells),
                        fmt::format("at most {:.0f} %", median_reach),
                        fmt::format("{:.1f} %", result.median_percent),
                        yes_no(result.median_percent <= median_reach)});
  table.rows.push_back(
      {fmt::format("the same without the row printed 8102 ({} cells)", without_misprint.cells),
       fmt::format("at most {:.0f} %", median_reach),
       fmt::format("{:.1f} %", without_misprint.median_percent),
       yes_no(without_misprint.median_percent <= median_reach)});
  table.rows.push_back(
      {"worst error", "-", fmt::format("{:.1f} % ({})", result.worst_percent, result.worst_cell), ""});
  for (const auto& column : result.columns)
    table.rows.push_back(
        {fmt::format("best {} size of {}, {} bytes", column.table == thesis::Which::cube ? "part" : "pipe",
                     thesis::name_of(column.table), column.message_bytes),
         fmt::format("{}, within a step", column.published_best), fmt::format("{}", column.simulated_best),
         yes_no(column.steps <= step_reach)});
  for (const auto& ratio : ratios)
    if (const auto factor = ratio.factor())
      table.rows.push_back({ratio.name,
                            fmt::format("{}, within a factor {}", ratio.stated, thesis::ratio_reach),
                            fmt::format("{:.2f}", *ratio.simulated), yes_no(*factor <= thesis::ratio_reach)});
  return table;
}

/// Every point of the plan again, in the exact form.
ExactDifference difference_of(const thesis::Plan& plan, unsigned jobs) {
  thesis::Plan exact;
  std::map<const Machine*, std::shared_ptr<const Machine>> machines;
  for (const Point& point : plan.points()) {
    auto& machine = machines[point.machine.get()];
    if (!machine) machine = std::make_shared<const Machine>(exact_form(*point.machine));
    Point same = point;
    same.machine = machine;
    exact.add(same);
  }
  exact.run(jobs);
  ExactDifference difference;
  for (std::size_t i = 0; i < plan.points().size(); ++i)
    if (const auto us = plan.us(i), fine = exact.us(i); us && fine) {
      const Point& point = plan.points()[i];
      difference.add(fmt::format("{}, {} cores, {} bytes", point.algorithm, point.cores, point.bytes), *us,
                     *fine);
    }
  return difference;
}

/// What the variants differ in is theirs.
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

Outcome measure_thesis(const ThesisOptions& options) {
  check_settings(options.common);
  if (options.quick && options.figures != figures_folder)
    throw mesh::UserError("--figures with --quick: the short form makes no figures; leave one of them out");
  const auto all = thesis::variants().first(options.quick ? 1 : thesis::variants().size());
  std::vector<thesis::Variant> asked(all.begin(), all.end());
  for (thesis::Variant& one : asked) one.changes = &options.common;
  const thesis::Variant& best = asked.front();
  thesis::Plan plan;
  const thesis::Tables tables(thesis::read_tables(data_path("thesis.csv")), asked, options.no_check, plan);
  const thesis::Ratios ratios(best, plan);
  std::optional<thesis::Figures> figures;
  if (!options.quick) {
    thesis::make_folder(folder_of(options));
    figures.emplace(best, plan);
  }
  const bool complete = plan.run(options.jobs);

  Report report;
  report.title = fmt::format("rccebench thesis {}", rcce::version_text);
  report.settings = {
      {"machine", best.machine()->description()},
      {"library",
       "RCCE 1.0: its plain copies for the cube and RCCE_bcast, iRCCE's prefetching copies for DOPL"},
      {"sizes",
       "parts of 4096 bytes (cube); parts of 8192 in pieces of 2048 (DOPL, line order ring); root 0"},
      {"buffers", "every core reads its own between repetitions"},
      {"repetitions",
       "1 after 0 to warm up: the buffer was read, and every further repetition takes as long"},
      {"published", "tables of sections 5.5 and 6.3, least times; their clocks are not stated"},
      {"time", "simulated, from one release of all to the last rank's end"}};
  const auto parameters = parameters_of(plan.points());
  report.table.columns = collective_columns(operation_of("bcast"), parameters);
  report.table.columns.push_back({"frames", "", 0});
  report.table.columns.push_back({"plain_store_dram_cycles", "", 0});
  report.table.columns.push_back({"buffers_read", "", 0});
  std::int64_t wrong = 0;
  std::size_t done = 0;
  for (std::size_t i = 0; i < plan.points().size(); ++i) {
    if (!plan.timing(i)) continue;
    ++done;
    const Point& point = plan.points()[i];
    if (!plan.timing(i)->statistics.empty())
      report.statistics.emplace_back(point.run_name(), plan.timing(i)->statistics);
    wrong += plan.timing(i)->wrong_bytes;
    auto row = collective_row(point, *plan.timing(i), parameters);
    row.emplace_back(point.machine->config.text("dram.frames"));
    row.emplace_back(
        static_cast<std::int64_t>(point.machine->config.number("cache.plain_store_dram_cycles")));
    row.emplace_back(point.reads);
    report.table.rows.push_back(std::move(row));
  }

  const auto found = ratios.of(plan);
  const auto result = tables.compare(plan, 0), without_misprint = tables.compare(plan, 0, true);
  report.views = tables.views(plan);
  report.views.push_back(thesis::view_of(found));
  report.views.push_back(verdict_of(result, without_misprint, found));
  report.summary = json_of(result);
  report.summary["variant"] = tables.variant_name(0);
  report.summary["without_misprint"] = {{"cells", without_misprint.cells},
                                        {"median_abs_error_percent", without_misprint.median_percent}};
  report.summary["ratios"] = thesis::json_of(found);
  report.summary["table_cells"] = tables.cells_of(plan, 0);
  auto& variants = report.summary["variants"] = nlohmann::ordered_json::array();
  for (std::size_t v = 0; v < tables.variants(); ++v) {
    auto one = json_of(tables.compare(plan, v));
    one["variant"] = tables.variant_name(v);
    variants.push_back(std::move(one));
  }
  report.summary["complete"] = complete;
  report.summary["wrong_bytes"] = wrong;
  if (!options.common.report_file.empty()) {
    report.lead =
        "The SCC broadcast thesis on the simulated chip: its tables and ratios, published beside simulated. "
        "Nothing is fitted to these numbers.";
    report.figures = nlohmann::ordered_json::array({thesis::statements(report.views.back())});
    for (auto& figure : thesis::table_figures(report.summary["table_cells"]))
      report.figures.push_back(std::move(figure));
    if (figures)
      for (auto& figure : figures->curves(plan)) report.figures.push_back(std::move(figure));
    std::vector<Point> broadcasts;
    for (const auto what : {thesis::Broadcast::cube, thesis::Broadcast::dopl, thesis::Broadcast::rcce})
      broadcasts.push_back(thesis::run_of(best, what, drawn_bytes));
    report.figures.push_back(show::schedules_of(broadcasts));
    for (const Table& view : report.views) report.figures.push_back(page::table(view));
    CommonOptions machine = options.common;
    machine.machine = best.preset;
    machine.frames = best.frames;
    report.parameters = page::parameters_of(machine);
  }
  if (figures) {
    const auto files = figures->write(plan, folder_of(options));
    report.notes.push_back(fmt::format("# {} figures as CSV in {}: {} ... {}", files.size(),
                                       folder_of(options).string(), files.front(), files.back()));
  } else {
    report.notes.push_back(
        "# short form, variant A alone; without --quick: every variant, and the figures as CSV");
  }
  report.notes.push_back(fmt::format("# {}{} of {} points, {}", complete ? "" : "interrupted: ", done,
                                     plan.points().size(),
                                     wrong == 0 ? "every byte compared on every rank: correct"
                                                : fmt::format("{} bytes arrived wrong", wrong)));
  if (options.exact && complete) {
    const ExactDifference difference = difference_of(plan, options.jobs);
    report.notes.push_back(difference.note());
    report.summary["granularity"] = difference.json();
  }
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
  command.option("--jobs", options->jobs, "points simulated side by side (default: one per processor)")
      .between(1, most_jobs);
  command.flag(
      "--no-check", options->no_check,
      "also the tables with buffers that no core ever reads, beside the others: what is only written "
      "stays uncached");
  command.flag("--quick", options->quick,
               "short form: the best-argued variant alone, both tables and the ratios, no figures");
  command.flag("--exact", options->exact,
               "everything once more in the exact form, and how far that lies from what is printed: takes "
               "three times as long");
  command.when_chosen([options, &status] { status = on_each_machine(*options, measure_thesis); });
}

} // namespace rccebench
