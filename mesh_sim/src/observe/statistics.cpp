// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace mesh {
namespace {

constexpr StatisticKind schema_version{"schema.version", "1", "of names, units and order in this list"};

/// Statistics of one family with the same labels.
struct Row {
  const Labels* labels;
  std::vector<const Statistic*> values; ///< by column; null: none
};
struct Family {
  std::string_view name;
  std::vector<const Statistic*> columns; ///< the first statistic of each kind
  std::vector<Row> rows;                 ///< hottest first
  std::map<Labels, std::size_t> row_of;  ///< before they are sorted
};

std::string_view family_of(const Statistic& statistic) {
  return statistic.name.substr(0, statistic.name.find('.'));
}

double heat(const Row& row) {
  return row.values.front() == nullptr ? 0 : row.values.front()->value;
}

template <class Range, class Same>
std::size_t index_of(Range& range, Same&& same) {
  return static_cast<std::size_t>(std::ranges::find_if(range, same) - range.begin());
}

/// With these labels; as a rule that of the statistic before.
Row& row_of(Family& family, const Labels& labels) {
  if (!family.rows.empty() && *family.rows.back().labels == labels) return family.rows.back();
  const auto [row, added] = family.row_of.try_emplace(labels, family.rows.size());
  if (added) family.rows.push_back({&labels, {}});
  return family.rows[row->second];
}

std::vector<Family> families_of(const Statistics& statistics) {
  std::vector<Family> families;
  for (const Statistic& one : statistics) {
    const std::size_t f = index_of(families, [&](const Family& of) { return of.name == family_of(one); });
    if (f == families.size()) families.push_back({family_of(one), {}, {}, {}});
    Family& family = families[f];
    const std::size_t column =
        index_of(family.columns, [&](const Statistic* of) { return of->name == one.name; });
    if (column == family.columns.size()) family.columns.push_back(&one);
    std::vector<const Statistic*>& values = row_of(family, one.labels).values;
    values.resize(std::max(values.size(), column + 1));
    values[column] = &one;
  }
  for (Family& family : families) {
    for (Row& row : family.rows) row.values.resize(family.columns.size());
    std::ranges::stable_sort(family.rows, std::greater<>{}, heat);
  }
  return families;
}

std::string number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{:.6g}", value);
}

std::string exact(double value) {
  if (value == std::floor(value) && std::abs(value) < 9e15) return fmt::format("{:.0f}", value);
  return fmt::format("{}", value);
}

std::string table_of(const Family& family) {
  std::vector<std::vector<std::string>> lines(1);
  for (const auto& [label, value] : *family.rows.front().labels) lines[0].push_back(label);
  const std::size_t labels = lines[0].size();
  for (const Statistic* column : family.columns) {
    const std::string_view name = column->name.substr(column->name.find('.') + 1);
    lines[0].push_back(column->unit == "1" ? std::string(name) : fmt::format("{} ({})", name, column->unit));
  }
  for (const Row& row : family.rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const auto& [label, value] : *row.labels) line.push_back(value);
    for (const Statistic* value : row.values) line.push_back(value == nullptr ? "-" : number(value->value));
  }
  std::vector<std::size_t> widths(lines[0].size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text = fmt::format("{}\n", family.name);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      text += i < labels ? fmt::format("  {:<{}}", line[i], widths[i])
                         : fmt::format("  {:>{}}", line[i], widths[i]);
    text += '\n';
  }
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string csv_line(const Statistic& one) {
  std::string labels;
  for (const auto& [label, value] : one.labels) {
    if (!labels.empty()) labels += ' ';
    labels.append(label).append(1, '=').append(value);
  }
  return fmt::format("{},{},{},{}\n", one.name, csv_field(labels), one.unit, exact(one.value));
}

std::string json_object(const Statistic& one) {
  std::string labels;
  for (const auto& [label, value] : one.labels)
    labels += fmt::format("{}{}: {}", labels.empty() ? "" : ", ", json_string(label), json_string(value));
  return fmt::format(R"({{"name": {}, "unit": {}, "description": {}, "labels": {{{}}}, "value": {}}})",
                     json_string(one.name), json_string(one.unit), json_string(one.description), labels,
                     exact(one.value));
}

} // namespace

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

double sum(const Statistics& statistics, std::string_view name) {
  double all = 0;
  for (const Statistic& one : statistics)
    if (one.name == name) all += one.value;
  return all;
}

StatisticsFormat statistics_format(std::string_view file) noexcept {
  return file.ends_with(".csv") ? StatisticsFormat::csv
      : file.ends_with(".json") ? StatisticsFormat::json
                                : StatisticsFormat::table;
}

std::string write_statistics(const Statistics& statistics, StatisticsFormat format) {
  const std::vector<Family> families = families_of(statistics);
  std::string text = format == StatisticsFormat::csv ? "statistic,labels,unit,value\n" : "";
  if (format == StatisticsFormat::table) {
    for (const Family& family : families) text += table_of(family);
    return text;
  }
  const Statistic version{
      schema_version.name, schema_version.unit, schema_version.description, {}, statistics_schema};
  text += format == StatisticsFormat::csv ? csv_line(version) : "[\n  " + json_object(version);
  constexpr std::string_view separator = ",\n  ";
  for (const Family& family : families)
    for (const Row& row : family.rows)
      for (const Statistic* one : row.values) {
        if (one == nullptr) continue;
        if (format == StatisticsFormat::csv) {
          text += csv_line(*one);
          continue;
        }
        text += separator;
        text += json_object(*one);
      }
  if (format == StatisticsFormat::json) text += "\n]\n";
  return text;
}

namespace {

/// ",0,1,east" of a line about "link(0,1)->east", ",0,1," of one about "mpb(0,1)", ",,," of others.
std::string position_of(std::string_view line) {
  const auto part = [&line](char begin, std::string_view end) {
    const std::size_t from = line.find(begin), to = line.find_first_of(end, from + 1);
    if (from == std::string_view::npos || to == std::string_view::npos) return std::string_view();
    const std::string_view found = line.substr(from + 1, to - from - 1);
    line.remove_prefix(to);
    return found;
  };
  const std::string_view x = part('(', ","), y = part(',', ")"), direction = part('>', "\",");
  return fmt::format(",{},{},{}", x, y, direction);
}

} // namespace

std::string write_links(const Statistics& statistics, StatisticsFormat format) {
  const std::string text = write_statistics(statistics, format);
  if (format != StatisticsFormat::csv) return text;
  std::string wide;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const std::string places = wide.empty() ? ",x,y,direction" : position_of(line);
    wide.append(line).append(places) += '\n';
  }
  return wide;
}

} // namespace mesh
