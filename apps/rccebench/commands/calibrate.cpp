// SPDX-License-Identifier: Apache-2.0
// rccebench calibrate: parameters of a machine from measurements, with what was held out beside what was
// fitted, and what the data leave open. Writes a machine file.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/commands.hpp"
#include "measuring/fit.hpp"
#include "measuring/measured_rows.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/parameters.hpp"
#include "mesh_sim/read_number.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

using Setting = rcce::MachineChoice::Setting;

struct CalibrateOptions {
  CommonOptions common;
  std::string measured, parameters, hold_out, machine_file, median_over;
  UnsaidByTable unsaid;
  int starts = 2, seed = 1, evaluations = 150;
};

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) names.push_back(word);
  return names;
}

/// "load.modified[1]": the parameter and which of its numbers; -1: all of them, by one factor.
std::pair<std::string, int> place_in(const std::string& name) {
  const std::size_t bracket = name.find('[');
  if (bracket == std::string::npos) return {name, -1};
  int place = -1;
  const std::string text = name.substr(bracket + 1);
  if (!text.ends_with(']') || !mesh::read_number(text.substr(0, text.size() - 1), place) || place < 0)
    throw mesh::UserError(fmt::format(
        "--fit {}: the place is a whole number from 0 in brackets, as in load.modified[1]", name));
  return {name.substr(0, bracket), place};
}

/// The parameters that are fitted, and their values.
class Fitted {
 public:
  Fitted(const std::string& names, const rcce::MachineChoice& choice) {
    Machine machine = lab::open_machine(choice);
    mesh::ParameterTable table = machine.config.table();
    const mesh::ParameterTable costs = machine.costs.parameters();
    table.insert(table.end(), costs.begin(), costs.end());
    for (const std::string& name : names_in(names)) {
      const auto [parameter, place] = place_in(name);
      const mesh::Parameter& found = mesh::find_parameter(table, parameter, "--fit " + name);
      for (const Varied& other : of_)
        if (other.parameter == parameter && (place < 0 || other.place < 0 || other.place == place))
          throw mesh::UserError(fmt::format("--fit {}: '{}' is fitted twice; name it once", name, parameter));
      std::istringstream words(mesh::value_text(found));
      std::vector<double> numbers;
      for (double one; words >> one;) numbers.push_back(one);
      if (numbers.empty() || place >= static_cast<int>(numbers.size()))
        throw mesh::UserError(fmt::format("--fit {}: '{}' is no number and no list with such a place", name,
                                          mesh::value_text(found)));
      const bool whole = std::holds_alternative<std::int64_t*>(found.value);
      const double start = numbers[static_cast<std::size_t>(std::max(place, 0))];
      parameters_.push_back({name, std::string(found.unit), start, found.minimum, found.maximum, whole});
      of_.push_back({parameter, place, std::move(numbers)});
    }
    if (parameters_.empty())
      throw mesh::UserError("--fit: names no parameter, for example cache.l2_line_cycles");
  }

  [[nodiscard]] const std::vector<FitParameter>& parameters() const { return parameters_; }
  [[nodiscard]] std::vector<Setting> settings(const std::vector<double>& values) const {
    std::vector<Setting> all;
    std::map<std::string, std::vector<double>> lists;
    for (std::size_t i = 0; i < of_.size(); ++i) {
      const Varied& one = of_[i];
      auto& numbers = lists.try_emplace(one.parameter, one.numbers).first->second;
      if (one.place >= 0)
        numbers[static_cast<std::size_t>(one.place)] = values[i];
      else
        for (double& number : numbers) number *= values[i] / parameters_[i].start;
    }
    for (const auto& [parameter, numbers] : lists) {
      std::string text;
      for (const double number : numbers) text += fmt::format("{}{:.6g}", text.empty() ? "" : " ", number);
      all.push_back({"--fit", parameter, text});
    }
    return all;
  }

 private:
  struct Varied {
    std::string parameter;
    int place;
    std::vector<double> numbers;
  };
  std::vector<FitParameter> parameters_;
  std::vector<Varied> of_;
};

/// Places of the rows that are fitted; the others are held out.
std::vector<std::size_t> fitted_places(const MeasuredRows& rows, const std::string& hold_out) {
  std::vector<std::size_t> places;
  bool known = hold_out.empty() || hold_out == "half";
  for (std::size_t i = 0; i < rows.all().size(); ++i) {
    const bool held = hold_out == "half" ? i % 2 == 1 : !hold_out.empty() && rows.all()[i].group == hold_out;
    known = known || held;
    if (!held) places.push_back(i);
  }
  if (!known)
    throw mesh::UserError(
        fmt::format("--hold-out '{}': it is neither half, nor a group of the measurements, nor a "
                    "file",
                    hold_out));
  if (places.empty()) throw mesh::UserError("--hold-out: no row is left to fit");
  return places;
}

std::vector<double> errors_of(const MeasuredRows& rows, const std::vector<double>& model) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < model.size(); ++i) errors.push_back(model[i] / rows.all()[i].value - 1);
  return errors;
}

/// A machine file over the preset that was begun with, or with all that another file says.
std::string file_of(const CalibrateOptions& options, const Fitted& fitted, const FitResult& result,
                    const std::vector<std::string>& ids) {
  const auto choice = options.common.choice();
  std::string text =
      fmt::format("# {}, fitted to measurements by rccebench calibrate\n#\n# Data: {}. Fitted rows: {}.\n"
                  "# Held out: {}. Median error of the fitted rows: {:.1f} %. Model revision {}, seed {}.\n",
                  choice.machine, std::filesystem::path(options.measured).filename().string(),
                  fmt::join(ids, ", "), options.hold_out.empty() ? "nothing" : options.hold_out,
                  result.median * 100, rcce::model_revision, options.seed);
  std::map<std::string, std::pair<std::string, const char*>> last; // value and comment
  if (mesh::is_preset(choice.machine)) {
    text += fmt::format("\n[machine]\npreset = {}\n", choice.machine);
  } else {
    Machine machine = lab::open_machine(choice.machine);
    mesh::ParameterTable table = machine.config.table();
    if (machine.config.offers(mesh::Capability::message_buffers))
      for (const mesh::Parameter& one : machine.costs.parameters()) table.push_back(one);
    for (const mesh::Parameter& one : table)
      if (const std::string value = mesh::value_text(one); !value.empty())
        last[fmt::format("{}.{}", one.section, one.name)] = {value, "of the file"};
  }
  for (const Setting& setting : choice.settings) last[setting.parameter] = {setting.value, "set"};
  for (const Setting& setting : fitted.settings(result.values))
    last[setting.parameter] = {setting.value, "fitted"};
  for (const auto& [parameter, value] : last) {
    const std::size_t dot = parameter.find('.');
    text += fmt::format("\n[{}]\n{} = {} # {}\n", parameter.substr(0, dot), parameter.substr(dot + 1),
                        value.first, value.second);
  }
  return text;
}

Report report_of(const CalibrateOptions& options, const MeasuredRows& rows,
                 const std::vector<std::size_t>& places, const Fitted& fitted, const FitResult& result) {
  const auto before = rows.model({}), after = rows.model(fitted.settings(result.values));
  const auto errors_before = errors_of(rows, before), errors = errors_of(rows, after);
  Report report;
  report.title = fmt::format("rccebench calibrate {}", rcce::version_text);
  report.settings = {{"machine", options.common.machine_name()},
                     {"measured", options.measured},
                     {"held out", options.hold_out.empty() ? "nothing" : options.hold_out},
                     {"least", "median and mean relative error of the fitted rows, added"},
                     {"optimiser",
                      fmt::format("NLopt, SBPLX, {} starts, seed {}; {} evaluations", options.starts,
                                  options.seed, result.evaluations)}};
  rows.tell_translated(report);
  report.table.columns = {{"Group", "", 0},   {"Id", "", 0},          {"Point", "", 0},
                          {"Model", "", 3},   {"Measured", "", 3},    {"Unit", "", 0},
                          {"Before", "%", 1}, {"Difference", "%", 1}, {"Use", "", 0}};
  struct Sizes {
    std::vector<double> fitted_before, fitted, held_before, held;
  };
  std::map<std::string, Sizes> groups;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const MeasuredRow& row = rows.all()[i];
    const bool is_fitted = std::ranges::find(places, i) != places.end();
    for (const std::string& name : {row.group, std::string("all")}) {
      Sizes& sizes = groups[name];
      (is_fitted ? sizes.fitted_before : sizes.held_before).push_back(errors_before[i] * 100);
      (is_fitted ? sizes.fitted : sizes.held).push_back(errors[i] * 100);
    }
    report.table.rows.push_back({row.group, row.id, row.point, after[i], row.value, row.unit,
                                 errors_before[i] * 100, errors[i] * 100,
                                 std::string(is_fitted ? "fit" : "held out")});
  }
  Table overview{"median absolute difference in percent",
                 {{"Group", "", 0},
                  {"Fitted rows", "", 0},
                  {"Before", "%", 1},
                  {"Fitted", "%", 1},
                  {"Rows held out", "", 0},
                  {"Before, held out", "%", 1},
                  {"Held out", "%", 1}},
                 {}};
  report.summary = nlohmann::ordered_json::object();
  const auto median = [](const std::vector<double>& sizes) {
    return sizes.empty() ? Cell{} : Cell{median_size(sizes)};
  };
  for (const auto& [name, sizes] : groups) {
    overview.rows.push_back({name, static_cast<std::int64_t>(sizes.fitted.size()),
                             median(sizes.fitted_before), median(sizes.fitted),
                             static_cast<std::int64_t>(sizes.held.size()), median(sizes.held_before),
                             median(sizes.held)});
    const auto told = [](const std::vector<double>& all) {
      return all.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(median_size(all));
    };
    report.summary[name] = {{"fitted_median_percent", told(sizes.fitted)},
                            {"held_out_median_percent", told(sizes.held)}};
  }
  Table parameters{"parameters; below and above: how far 19 of 20 fits of rows drawn anew are from the "
                   "fitted value; determined: within 5 % on both sides",
                   {{"Parameter", "", 0},
                    {"Unit", "", 0},
                    {"Before", "", 3},
                    {"Fitted", "", 3},
                    {"Below", "%", 1},
                    {"Above", "%", 1},
                    {"Determined", "", 0},
                    {"At bound", "", 3}},
                   {}};
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const FitParameter& one = fitted.parameters()[i];
    const Uncertainty& interval = result.uncertainties[i];
    parameters.rows.push_back({one.name, one.unit, one.start, result.values[i], (interval.low - 1) * 100,
                               (interval.high - 1) * 100, interval.determined(), Cell{}});
    auto& told = report.summary["parameters"][one.name] = {
        {"before", one.start}, {"fitted", result.values[i]}, {"determined", interval.determined()}};
    const auto bound = bound_at(one, result.values[i]);
    told["at_bound"] = bound.has_value();
    if (!bound) continue;
    parameters.rows.back().back() = *bound;
    report.notes.push_back(fmt::format(
        "# {} = {:.6g} sits on its bound, {:.6g}: values beyond were not tried, because they are {}",
        one.name, result.values[i], *bound,
        *bound == one.least || *bound == one.most
            ? "none of the machine's"
            : fmt::format("more than ten times away from {:.6g}; begin nearer, with --set {}=VALUE",
                          one.start, one.name)));
  }
  report.views = {report.table, std::move(overview), std::move(parameters)};
  return report;
}

Status run_calibrate(const CalibrateOptions& options) {
  const auto choice = options.common.choice();
  const bool file_held = !options.hold_out.empty() && std::filesystem::exists(options.hold_out);
  std::error_code unknown;
  if (file_held && std::filesystem::equivalent(options.hold_out, options.measured, unknown))
    throw mesh::UserError(
        fmt::format("--hold-out '{}': these rows are fitted, so they show nothing; name rows of other "
                    "measurements, or half",
                    options.hold_out));
  MeasuredRows rows(options.measured, choice, options.unsaid);
  if (!rows.are_printed() && !file_held)
    options.unsaid.refuse_beside(fmt::format("CSV ('{}')", options.measured));
  if (!options.median_over.empty()) rows.take_median_over(options.median_over);
  for (const MeasuredRow& row : rows.all())
    if (row.group == "all" || row.group == "parameters")
      throw mesh::UserError(fmt::format(
          "'{}': a group cannot be called '{}', for the result has another line of that name; rename it",
          options.measured, row.group));
  const auto places = fitted_places(rows, file_held ? "" : options.hold_out);
  const Fitted fitted(options.parameters, choice);
  FitPlan plan;
  plan.parameters = fitted.parameters();
  plan.starts = options.starts;
  plan.seed = static_cast<std::uint64_t>(options.seed);
  plan.evaluations = options.evaluations;
  plan.errors = [&](const std::vector<double>& values) {
    const auto model = rows.model(fitted.settings(values), places);
    std::vector<double> errors;
    for (std::size_t i = 0; i < model.size(); ++i)
      errors.push_back(model[i] / rows.all()[places[i]].value - 1);
    return errors;
  };
  const FitResult result = fit(plan);
  Report report = report_of(options, rows, places, fitted, result);
  if (file_held) {
    MeasuredRows held(options.hold_out, choice, options.unsaid);
    if (!options.median_over.empty()) held.take_median_over(options.median_over);
    const double before = median_size(errors_of(held, held.model({}))),
                 after = median_size(errors_of(held, held.model(fitted.settings(result.values))));
    report.notes.push_back(
        fmt::format("# held out, {}: median difference of {} rows {:.1f} %, before {:.1f} %",
                    options.hold_out, held.all().size(), after * 100, before * 100));
    report.summary["held_out_file_median_percent"] = after * 100;
  }
  std::vector<std::string> ids;
  for (const std::size_t place : places) ids.push_back(rows.all()[place].id);
  if (!options.machine_file.empty()) {
    write_out(file_of(options, fitted, result, ids), options.machine_file);
    report.notes.push_back(fmt::format("# {}: the machine with the fitted parameters", options.machine_file));
  }
  write(report, options.common.format, "");
  return 0;
}

} // namespace

void add_calibrate(CommandLine& line, Status& status) {
  auto options = std::make_shared<CalibrateOptions>();
  Command command = line.add_command("calibrate", "parameters of a machine from your own measurements");
  command
      .option("--measured", options->measured,
              "measurements: CSV, or a table of the OSU benchmarks, IMB or nccl-tests (rccebench(1), "
              "Measurements)")
      .required();
  command
      .option("--fit", options->parameters,
              "parameters, with commas: cache.l2_line_cycles,tile.mpb_read_cycles; NAME[1]: the second "
              "number of a list")
      .required();
  command.option(
      "--hold-out", options->hold_out,
      "rows that are not fitted: half (every second one), a group, or a further file (default: none)");
  command.option(
      "--median-over", options->median_over,
      "the model is the median over these values: dram.frame_seed=1-20:1 (default: as the machine is)");
  command.option("--machine", options->common.machine, "preset that the fit begins with")
      .with_default_in_help()
      .tells(options->unsaid.machine_given);
  options->unsaid.add_to(command);
  options->common.add_settings_to(command, CommonOptions::Values::one);
  command.option("--starts", options->starts, "starts of the search; all but the first are drawn")
      .between(1, 100)
      .with_default_in_help();
  command.option("--seed", options->seed, "of these draws").between(0, 1000000).with_default_in_help();
  command.option("--evaluations", options->evaluations, "at most so many for each start")
      .between(1, 100000)
      .with_default_in_help();
  command.option("--format", options->common.format, "table, csv, json, markdown or latex")
      .with_default_in_help();
  command.option("-o,--output", options->machine_file, "machine file to be written (default: none)")
      .writable();
  command.when_chosen([options, &status] { status = run_calibrate(*options); });
}

} // namespace rccebench
