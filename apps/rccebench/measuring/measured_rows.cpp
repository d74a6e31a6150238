// SPDX-License-Identifier: Apache-2.0
#include "measuring/measured_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/backend.hpp"
#include "lab/host.hpp"
#include "lab/point_json.hpp"
#include "measuring/chip_figures.hpp"
#include "measuring/coherent_rows.hpp"
#include "measuring/units.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"

namespace rccebench {
namespace {

using nlohmann::json;
using namespace std::string_view_literals;

/// Columns of every form.
constexpr std::array common_columns{"group"sv,     "id"sv,       "machine"sv,  "value"sv,
                                    "unit"sv,      "core_mhz"sv, "mesh_mhz"sv, "dram_mhz"sv,
                                    "tolerance"sv, "use"sv,      "source"sv};
/// Members of a point, as point_json.cpp has them, that a row can give.
constexpr std::array whole_columns{"cores"sv, "bytes"sv, "root"sv, "seed"sv, "warm_up"sv, "repetitions"sv};
constexpr std::array word_columns{"algorithm"sv, "type"sv,   "op"sv,     "spread"sv,
                                  "rcce"sv,      "copies"sv, "payload"sv};

/// Each as the clock of what, and the parameter that a machine has for it.
constexpr std::pair<std::string_view, std::string_view> clocks[] = {{"mesh_mhz", "mesh.clock"},
                                                                    {"dram_mhz", "dram.clock"}};

/// The member of a point that a column is.
json member_of(const Fields& field, const std::string& column) {
  if (std::ranges::find(whole_columns, column) != whole_columns.end())
    return field.whole(column, 0, INT64_MAX).value_or(0);
  const std::string& text = field(column);
  if (column == "reads") {
    field.check_word(column, std::array{"true"sv, "false"sv});
    return text == "true";
  }
  if (column != "options") return text;
  json options = json::object();
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      throw mesh::UserError(
          fmt::format("column 'options': '{}' is not NAME=VALUE, with blanks between several", text));
    if (!options.emplace(word.substr(0, equals), word.substr(equals + 1)).second)
      throw mesh::UserError(fmt::format("column 'options': '{}' is given twice", word.substr(0, equals)));
  }
  return options;
}

/// The choice of `auto` at a point of that operation. Throws mesh::UserError where there is none.
lab::Choice choice_of_auto(json asked, const std::string& operation, const Machine& machine) {
  const auto backend = lab::backend_of(machine);
  const auto names = backend->names_of(operation);
  if (names.empty())
    throw mesh::UserError(fmt::format("column 'algorithm': machine '{}' has no algorithm of {}",
                                      machine.config.name(), mesh::shown(operation)));
  asked["algorithm"] = names.front();
  const lab::Point like = lab::read_point(asked);
  const auto choices = backend->automatic(like, {like.bytes});
  if (choices.empty())
    throw mesh::UserError(
        fmt::format("column 'algorithm': machine '{}' has no choice of auto here; name one: "
                    "{}/NAME with {} (for tables of other benchmarks by --algorithm)",
                    machine.config.name(), operation, fmt::join(names, ", ")));
  return choices.begin()->second;
}

template <class Rows>
Rows chosen(const Rows& rows, const std::vector<std::size_t>& places) {
  Rows some;
  for (const std::size_t place : places) some.push_back(rows.at(place));
  return some;
}

} // namespace

double median_size(std::vector<double> numbers) {
  if (numbers.empty()) return 0;
  for (double& one : numbers) one = std::abs(one);
  std::ranges::sort(numbers);
  return (numbers[(numbers.size() - 1) / 2] + numbers[numbers.size() / 2]) / 2;
}

void MeasuredRows::read(const CsvTable& table, const std::string& file) {
  const std::size_t first = rows_.size();
  models_.emplace_back(
      first,
      table.has("algorithm")    ? read_points(table)
          : table.has("core_a") ? read_coherent(table)
          : table.has("hops")
          ? read_chip(table)
          : throw mesh::UserError(fmt::format(
                "'{}': has none of the columns algorithm, core_a and hops. Rows of CSV are told by "
                "one of them, which may be empty (rcceinfo measurements), and tables by a head that "
                "is known: {}",
                file, known_heads())));
}

MeasuredRows::MeasuredRows(const std::filesystem::path& file, rcce::MachineChoice machine,
                           const UnsaidByTable& unsaid)
    : machine_(std::move(machine)), opened_(lab::open_machine(machine_)) {
  const std::string text = text_of_table(file);
  const int word_bytes = opened_.config.offers(mesh::Capability::cards) ? 4 : 1; // what messages consist of
  if (auto tables = read_benchmark_tables(file.string(), text, unsaid, word_bytes)) {
    translated_ = std::move(tables->translated);
    const bool has_messages = opened_.config.offers(mesh::Capability::message_buffers);
    if (!has_messages && tables->points.empty())
      throw mesh::UserError(
          fmt::format("'{}': its rows are of single messages, and machine '{}' has no message "
                      "buffers; compare them on a machine that has (rcceinfo machines)",
                      file.string(), machine_.machine));
    if (!has_messages && !tables->messages.empty())
      translated_.push_back(
          fmt::format("single messages are left out: machine '{}' has no message buffers", machine_.machine));
    if (!tables->points.empty()) read(CsvTable(file.string(), tables->points), file.string());
    if (has_messages && !tables->messages.empty())
      read(CsvTable(file.string(), tables->messages), file.string());
  } else {
    read(CsvTable(file.string(), text), file.string());
  }
  if (!rows_.empty()) return;
  if (others_.empty())
    throw mesh::UserError(fmt::format("'{}': has no row below its columns", file.string()));
  const std::string_view preset = preset_of_machine();
  throw mesh::UserError(fmt::format(
      "'{}': has no row of machine '{}'{}; its rows are of {}", file.string(), machine_.machine,
      preset.empty() || preset == machine_.machine ? "" : fmt::format(", whose preset is {}", preset),
      mesh::shown(fmt::format("{}", fmt::join(others_, ", ")))));
}

void MeasuredRows::tell_translated(Report& report) const {
  if (!translated_.empty())
    report.settings.emplace_back("translated", fmt::format("{}", fmt::join(translated_, "; ")));
  if (!others_.empty())
    report.settings.emplace_back("left out",
                                 mesh::shown(fmt::format("rows of machines {}", fmt::join(others_, ", "))));
  if (of_whole_)
    report.settings.emplace_back("means",
                                 fmt::format("stand beside the time of the whole operation: machine "
                                             "'{}' does not tell those of its ranks",
                                             machine_.machine));
  if (!taken_.empty())
    report.settings.emplace_back("taken",
                                 fmt::format("{}, where rows do not say it", fmt::join(taken_, ", ")));
}

std::string_view MeasuredRows::preset_of_machine() const {
  return machine_.machine == lab::host_name ? lab::host_name : opened_.config.preset();
}

bool MeasuredRows::is_meant(const Fields& field) {
  const mesh::MachineDescription& machine = opened_.config;
  const std::string_view name = field.optional("machine"), preset = preset_of_machine();
  const bool is_first = preset == machine.kind().first_preset && name == machine.kind().name;
  if (!name.empty() && name != preset && !is_first) {
    if (std::ranges::find(others_, name) == others_.end()) others_.emplace_back(name);
    return false;
  }
  const auto check_clock = [&](std::string_view column, double mhz) {
    if (field.optional(column).empty()) return;
    if (const double wanted = field.positive(column); std::floor(wanted) != std::floor(mhz))
      throw mesh::UserError(
          fmt::format("column '{}': the row is of {} MHz, and machine '{}' has {}; compare it "
                      "with a machine of its clocks (rcceinfo machines, --set)",
                      column, field(column), machine.name(),
                      mhz > 0 ? fmt::format("{:.0f} MHz", std::floor(mhz)) : "no such clock"));
  };
  check_clock("core_mhz", machine.core_mhz());
  for (const auto& [column, parameter] : clocks)
    check_clock(column, machine.has(parameter) ? machine.number(parameter) : 0);
  return true;
}

void MeasuredRows::note_taken(const json& said, const lab::Point& point) {
  const lab::Operation& operation = point.operation();
  const auto note = [&](const char* column, bool has, const auto& value) {
    std::string text = fmt::format("{}={}", column, value);
    if (has && !said.contains(column) && std::ranges::find(taken_, text) == taken_.end())
      taken_.push_back(std::move(text));
  };
  note("cores", true, point.cores);
  note("bytes", operation.has_message, point.bytes);
  // Printed tables say only the operators that are not the benchmark's own, which is sum.
  note("type", operation.combines && !are_printed(), point.type);
  note("op", operation.combines && !are_printed(), point.op);
}

void MeasuredRows::add(const Fields& field, MeasuredRow row) {
  if (!are_printed() && !row.id.empty() && std::ranges::any_of(rows_, [&](const MeasuredRow& other) {
        return other.group == row.group && other.id == row.id;
      }))
    throw mesh::UserError(
        fmt::format("column 'id': there is a row '{}' of group '{}' already; leave one of them out, or "
                    "give each its own id",
                    mesh::shown(row.id), mesh::shown(row.group)));
  if (!field.optional("tolerance").empty()) row.tolerance = field.positive("tolerance");
  row.use = field.optional("use");
  row.source = field.optional("source");
  rows_.push_back(std::move(row));
}

void MeasuredRows::take_median_over(const std::string& values) {
  const std::size_t equals = values.find('=');
  if (equals == std::string::npos)
    throw mesh::UserError(
        fmt::format("--median-over '{}': SECTION.NAME=NUMBERS, as dram.frame_seed=1-20:1", values));
  for (const std::int64_t value :
       lab::read_numbers(values.substr(equals + 1), "--median-over", 0, INT64_MAX, ""))
    over_.push_back({"--median-over", values.substr(0, equals), fmt::format("{}", value)});
}

std::vector<double> MeasuredRows::model(const std::vector<rcce::MachineChoice::Setting>& settings,
                                        const std::vector<std::size_t>& places) const {
  rcce::MachineChoice machine = machine_;
  machine.settings.insert(machine.settings.end(), settings.begin(), settings.end());
  std::vector<std::size_t> asked = places;
  for (std::size_t i = 0; places.empty() && i < rows_.size(); ++i) asked.push_back(i);
  if (over_.empty()) return evaluate(machine, asked);
  std::vector<std::vector<double>> by_row(asked.size());
  for (const auto& one : over_) {
    rcce::MachineChoice varied = machine;
    varied.settings.push_back(one);
    const auto values = evaluate(varied, asked);
    for (std::size_t i = 0; i < values.size(); ++i) by_row[i].push_back(values[i]);
  }
  std::vector<double> medians;
  for (const auto& values : by_row) medians.push_back(median_size(values));
  return medians;
}

std::vector<double> MeasuredRows::evaluate(const rcce::MachineChoice& machine,
                                           const std::vector<std::size_t>& places) const {
  std::vector<double> values(places.size());
  for (auto part = models_.begin(); part != models_.end(); ++part) {
    const std::size_t first = part->first, end = part + 1 == models_.end() ? rows_.size() : (part + 1)->first;
    std::vector<std::size_t> own, at;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i] >= first && places[i] < end) own.push_back(places[i] - first), at.push_back(i);
    if (own.empty()) continue;
    const auto of_part = part->second(machine, own);
    for (std::size_t i = 0; i < at.size(); ++i) values[at[i]] = of_part[i];
  }
  return values;
}

MeasuredRows::Model MeasuredRows::read_points(const CsvTable& table) {
  std::vector<std::string_view> members{"options", "reads"},
      known(common_columns.begin(), common_columns.end());
  known.push_back("time"sv);
  members.insert(members.end(), whole_columns.begin(), whole_columns.end());
  members.insert(members.end(), word_columns.begin(), word_columns.end());
  known.insert(known.end(), members.begin(), members.end());
  table.check_columns(known);
  std::vector<json> points;
  std::vector<bool> means; // of these points: the mean over the ranks was measured
  table.each([&](const Fields& field) {
    if (!is_meant(field)) return;
    json point = json::object();
    MeasuredRow row{field("group"), field("id"), {}, field.positive("value"), "us", {}, {}, {}};
    field.check_word("time", std::array{"last"sv, "mean"sv});
    for (const std::string& column : table.columns()) {
      const std::string& text = field(column);
      if (text.empty() || std::ranges::find(members, column) == members.end()) continue;
      point[column] = member_of(field, column);
      row.point += (row.point.empty() ? "" : " ") + (column == "algorithm" ? text : column + "=" + text);
    }
    json asked = point;
    asked["machine"] = machine_.machine;
    for (const auto& setting : machine_.settings) asked["set"][setting.parameter] = setting.value;
    if (const std::string& name = field("algorithm"); name.ends_with("/auto")) {
      const lab::Choice choice = choice_of_auto(asked, name.substr(0, name.find('/')), opened_);
      asked["algorithm"] = point["algorithm"] = choice.algorithm;
      row.point += " takes " + choice.algorithm;
      for (const auto& [parameter, value] : choice.options) {
        asked["options"][parameter] = point["options"][parameter] = value;
        row.point += fmt::format(" {}={}", parameter, value);
      }
    }
    const lab::Point read = lab::read_point(asked);
    const lab::Operation& operation = read.operation();
    const std::pair<std::string_view, bool> of_some[] = {{"bytes", operation.has_message},
                                                         {"root", operation.has_root},
                                                         {"type", operation.combines},
                                                         {"op", operation.combines}};
    for (const auto& [column, has] : of_some)
      if (const std::string text(field.optional(column)); !has && !text.empty() && text != "0")
        throw mesh::UserError(fmt::format("column '{}': {} has none; leave the field empty, not '{}'", column,
                                          read.algorithm, text));
    const double bytes = operation.has_message ? static_cast<double>(read.bytes) : 0;
    note_taken(point, read);
    row.value = in_unit_of({row.unit, bytes, opened_.config.core_mhz()}, row.value, field.optional("unit"));
    points.push_back(std::move(point));
    means.push_back(field.optional("time") == "mean");
    const bool tells_ranks =
        machine_.machine != lab::host_name && !opened_.config.offers(mesh::Capability::cards);
    of_whole_ = of_whole_ || (means.back() && !tells_ranks);
    add(field, std::move(row));
  });
  return [points = std::move(points), means = std::move(means)](const rcce::MachineChoice& machine,
                                                                const std::vector<std::size_t>& places) {
    json asked = json::array();
    for (json point : chosen(points, places)) {
      point["machine"] = machine.machine;
      for (const auto& setting : machine.settings) point["set"][setting.parameter] = setting.value;
      asked.push_back(std::move(point));
    }
    std::vector<double> values;
    for (const auto& result : measure_all(lab::read_points(asked, {}), 0)) {
      if (!result) throw Unfinished("interrupted");
      const bool of_mean = means.at(places.at(values.size())) && result->of_ranks;
      values.push_back(of_mean ? result->avg_us : result->max_us);
    }
    return values;
  };
}

MeasuredRows::Model MeasuredRows::read_coherent(const CsvTable& table) {
  const auto own = mesh::coherent_config(opened_.config);
  if (!own)
    throw mesh::UserError(fmt::format(
        "machine '{}': has no coherent caches, as rows with a column core_a need", machine_.machine));
  std::vector<CoherentRow> rows;
  (void)read_coherent_rows(table, [&](const CoherentRow& row, const Fields& field) {
    if (!is_meant(field)) return;
    check_coherent_row(row, *own);
    std::string point = row.quantity;
    for (const std::string& word : {row.operation, row.state})
      if (!word.empty()) point += " " + word;
    if (row.threads > 0) point += fmt::format(" {} threads", row.threads);
    if (row.pair.a != row.pair.b) point += fmt::format(" cores {} {}", row.pair.a, row.pair.b);
    const MeasuredUnit measured = measured_by(row, *own);
    add(field,
        {row.quantity,
         row.id,
         point,
         in_unit_of(measured, row.value, row.unit),
         std::string(measured.unit),
         {},
         {},
         {}});
    rows.push_back(row);
  });
  return
      [rows = std::move(rows)](const rcce::MachineChoice& machine, const std::vector<std::size_t>& places) {
        const auto config = mesh::coherent_config(lab::open_machine(machine).config);
        std::vector<double> values;
        for (const CoherentRow& row : chosen(rows, places)) values.push_back(coherent_model(row, *config));
        return values;
      };
}

MeasuredRows::Model MeasuredRows::read_chip(const CsvTable& table) {
  if (!opened_.config.offers(mesh::Capability::message_buffers) || opened_.config.cores() < 48)
    throw mesh::UserError(
        fmt::format("machine '{}': rows with a column hops need the 48 cores of the SCC", machine_.machine));
  std::vector<Published> rows;
  (void)read_published(table, [&](Published& row, const Fields& field) {
    if (!is_meant(field)) return;
    check_chip_row(row, opened_);
    add(field, {row.group, row.id, row.quantity, row.value, row.unit, {}, {}, {}});
    rows.push_back(row);
  });
  return [rows = std::move(rows)](const rcce::MachineChoice& choice, const std::vector<std::size_t>& places) {
    const Machine machine = lab::open_machine(choice);
    return chip_figures(machine, chosen(rows, places));
  };
}

} // namespace rccebench
