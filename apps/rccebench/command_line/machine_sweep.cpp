// SPDX-License-Identifier: Apache-2.0
#include "command_line/machine_sweep.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/machine_parameters.hpp"
#include "lab.hpp"
#include "mesh_sim/output_file.hpp"
#include "page/document.hpp"

namespace rccebench {
namespace {

/// "NAME=2,4" as "NAME=2" and "NAME=4"; what is no list, or is one by itself, as it is.
std::vector<std::string> each_value(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || setting.find(',') == std::string::npos ||
      setting.find("controller_tiles") != std::string::npos)
    return {setting};
  std::vector<std::string> each;
  for (const std::string& value : cut(setting.substr(equals + 1), ','))
    each.push_back(setting.substr(0, equals + 1) + value);
  return each;
}

std::string label_of(const CommonOptions& options, bool with_machine) {
  return with_machine ? options.machine_name() : fmt::format("{}", fmt::join(options.settings, " "));
}

/// The table with a column for the machine, where it has none.
void name_machine(Table& table, const std::string& machine) {
  if (!table.columns.empty() &&
      std::any_of(table.columns.begin(), table.columns.end(),
                  [](const Column& one) { return one.name == "machine" || one.name == "Machine"; }))
    return;
  table.columns.insert(table.columns.begin(), {"Machine", "", 0});
  for (auto& row : table.rows) row.insert(row.begin(), Cell{machine});
}

void label(Report& report, const std::string& label) {
  for (Table& view : report.views) view.title = view.title.empty() ? label : label + ": " + view.title;
  if (report.views.empty()) report.views.push_back(report.table), report.views.back().title = label;
  for (auto& figure : report.figures) figure["title"] = label + ": " + figure["title"].get<std::string>();
  for (std::string& note : report.notes)
    note = fmt::format("# {}: {}", label, note.starts_with("# ") ? note.substr(2) : note);
}

} // namespace

std::vector<CommonOptions> each_machine(const CommonOptions& options) {
  std::vector<CommonOptions> all;
  for (const std::string& name : cut(options.machine, ',')) {
    if (std::ranges::find(all, name, &CommonOptions::machine) != all.end()) continue;
    all.push_back(options);
    all.back().machine = name;
    all.back().settings.clear();
  }
  for (const std::string& setting : options.settings) {
    std::vector<CommonOptions> longer;
    for (const CommonOptions& chosen : all)
      for (const std::string& value : each_value(setting)) {
        longer.push_back(chosen);
        longer.back().settings.push_back(value);
      }
    all = std::move(longer);
  }
  for (const CommonOptions& one : all) (void)open_machine(one);
  return all;
}

std::string text_of_set(const std::vector<CommonOptions>& machines) {
  std::vector<std::string> labels;
  const bool several = machines.front().machine != machines.back().machine;
  for (const CommonOptions& one : machines) labels.push_back(label_of(one, several));
  return fmt::format("{}; the machine is shown for the first", fmt::join(labels, "; "));
}

Outcome joined(std::vector<std::pair<CommonOptions, Outcome>> outcomes) {
  if (outcomes.size() == 1) return std::move(outcomes.front().second);
  Outcome all;
  nlohmann::ordered_json summary;
  std::vector<CommonOptions> machines;
  const bool several = outcomes.front().first.machine != outcomes.back().first.machine;
  for (auto& [options, one] : outcomes) {
    const std::string name = label_of(options, several);
    machines.push_back(options);
    label(one.report, name);
    name_machine(one.report.table, options.machine_name());
    if (!one.report.summary.is_null()) summary[name] = std::move(one.report.summary);
    all.status = std::max(all.status, one.status);
    if (machines.size() == 1) {
      all.report = std::move(one.report);
      continue;
    }
    Report& report = all.report;
    const auto append = [](auto& to, auto& from) {
      to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    append(report.table.rows, one.report.table.rows);
    append(report.views, one.report.views);
    append(report.notes, one.report.notes);
    append(report.statistics, one.report.statistics);
    for (auto& figure : one.report.figures) report.figures.push_back(std::move(figure));
  }
  all.report.settings.insert(all.report.settings.begin() + 1, {"set", text_of_set(machines)});
  all.report.summary = std::move(summary);
  return all;
}

namespace {

/// With the first value of every setting.
CommonOptions first_of(const CommonOptions& options) {
  CommonOptions first = options;
  for (std::string& setting : first.settings) setting = each_value(setting).front();
  return first;
}

} // namespace

Status written(const Outcome& outcome, const CommonOptions& options) {
  lab::ResultStore& store = result_store();
  if (!store.computes()) require_whole();
  if ((mesh::output_name(options.report_file) != mesh::standard_output || !options.file.empty()) &&
      (options.file.empty() || options.file != store.file()))
    write(outcome.report, options.format, options.file);
  store.close(to_json(outcome.report));
  if (!options.report_file.empty()) {
    Report page = outcome.report;
    if (page.parameters.is_null()) page.parameters = machine_parameters(first_of(options));
    page::write(page, options.report_file);
  }
  if (options.statistics) write_statistics(outcome.report, options.statistics_file);
  return outcome.status;
}

} // namespace rccebench
