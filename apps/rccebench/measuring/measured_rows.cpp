// SPDX-License-Identifier: Apache-2.0
#include "measuring/measured_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "lab/point_json.hpp"
#include "measuring/chip_figures.hpp"
#include "measuring/coherent_rows.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "present/csv_rows.hpp"

namespace rccebench {
namespace {

using nlohmann::json;

/// Of the first line that is no comment.
std::vector<std::string> columns_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw mesh::UserError(fmt::format("'{}': cannot be read", file.string()));
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') return fields_of(line);
  throw mesh::UserError(fmt::format("'{}': has no line that names its columns", file.string()));
}

bool has(const std::vector<std::string>& columns, std::string_view name) {
  return std::ranges::find(columns, name) != columns.end();
}

/// A number, a truth, or a word.
json value_of(const std::string& text) {
  const json value = json::parse(text, nullptr, false);
  return value.is_number() || value.is_boolean() ? value : json(text);
}

json options_of(const std::string& text) {
  json options = json::object();
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      throw mesh::UserError(fmt::format("options '{}': NAME=VALUE, with blanks between them", text));
    options[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return options;
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

MeasuredRows::MeasuredRows(const std::filesystem::path& file, rcce::MachineChoice machine)
    : machine_(std::move(machine)) {
  const auto columns = columns_of(file);
  model_ = has(columns, "algorithm") ? read_points(file)
      : has(columns, "core_a")       ? read_coherent(file)
      : has(columns, "hops")
      ? read_chip(file)
      : throw mesh::UserError(
            fmt::format("'{}': has none of the columns algorithm, core_a and hops, which tell what "
                        "its rows are (rccebench(1), Measurements)",
                        file.string()));
  if (rows_.empty())
    throw mesh::UserError(fmt::format("'{}': has no row of machine '{}'", file.string(), machine_.machine));
  for (const MeasuredRow& row : rows_)
    if (!(row.value > 0))
      throw mesh::UserError(
          fmt::format("'{}' row '{}': value {} is not above 0", file.string(), row.id, row.value));
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
  if (over_.empty()) return model_(machine, asked);
  std::vector<std::vector<double>> by_row(asked.size());
  for (const auto& one : over_) {
    rcce::MachineChoice varied = machine;
    varied.settings.push_back(one);
    const auto values = model_(varied, asked);
    for (std::size_t i = 0; i < values.size(); ++i) by_row[i].push_back(values[i]);
  }
  std::vector<double> medians;
  for (const auto& values : by_row) medians.push_back(median_size(values));
  return medians;
}

MeasuredRows::Model MeasuredRows::read_points(const std::filesystem::path& file) {
  const auto columns = columns_of(file);
  std::vector<json> points;
  read_rows(file, [&](const Fields& field) {
    json point = json::object();
    MeasuredRow row{field("group"), field("id"), {}, std::stod(field("value")), "us"};
    if (has(columns, "unit") && field("unit") != "us")
      throw mesh::UserError(fmt::format("unit '{}': points are in us", field("unit")));
    for (const std::string& column : columns) {
      const std::string& text = field(column.c_str());
      if (column == "group" || column == "id" || column == "value" || column == "unit" || text.empty())
        continue;
      point[column] = column == "options" ? options_of(text) : value_of(text);
      row.point += (row.point.empty() ? "" : " ") + (column == "algorithm" ? text : column + "=" + text);
    }
    points.push_back(std::move(point));
    rows_.push_back(std::move(row));
  });
  return [points = std::move(points)](const rcce::MachineChoice& machine,
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
      values.push_back(result->max_us);
    }
    return values;
  };
}

MeasuredRows::Model MeasuredRows::read_coherent(const std::filesystem::path& file) {
  std::vector<CoherentRow> rows;
  for (CoherentRow& row : read_coherent_rows(file)) {
    if (row.machine != machine_.machine) continue;
    std::string point = row.quantity;
    for (const std::string& word : {row.operation, row.state})
      if (!word.empty()) point += " " + word;
    if (row.threads > 0) point += fmt::format(" {} threads", row.threads);
    rows_.push_back({row.quantity, row.id, point + fmt::format(" cores {} {}", row.pair.a, row.pair.b),
                     row.value, row.unit});
    rows.push_back(std::move(row));
  }
  return
      [rows = std::move(rows)](const rcce::MachineChoice& machine, const std::vector<std::size_t>& places) {
        const auto config = mesh::coherent_config(lab::open_machine(machine).config);
        if (!config)
          throw mesh::UserError(
              fmt::format("machine '{}': has no coherent caches, as these rows need", machine.machine));
        std::vector<double> values;
        for (const CoherentRow& row : chosen(rows, places)) values.push_back(coherent_model(row, *config));
        return values;
      };
}

MeasuredRows::Model MeasuredRows::read_chip(const std::filesystem::path& file) {
  std::vector<Published> rows = read_published(file);
  for (const Published& row : rows) rows_.push_back({row.group, row.id, row.quantity, row.value, row.unit});
  return [rows = std::move(rows)](const rcce::MachineChoice& choice, const std::vector<std::size_t>& places) {
    const Machine machine = lab::open_machine(choice);
    if (machine.config.offers(mesh::Capability::coherent_memory) || machine.config.cores() < 48)
      throw mesh::UserError(
          fmt::format("machine '{}': these rows need the 48 cores of the SCC", choice.machine));
    return chip_figures({&machine}, chosen(rows, places)).front();
  };
}

} // namespace rccebench
