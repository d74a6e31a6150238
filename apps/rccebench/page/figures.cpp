// SPDX-License-Identifier: Apache-2.0
#include "page/figures.hpp"

#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace rccebench::page {
namespace {

/// More lines than that nobody tells apart.
constexpr std::size_t most_curves = 10;
constexpr std::string_view published_word = "Published", simulated_word = "Simulated";

Json json_of(const Cell& cell) {
  return std::visit(
      [](const auto& value) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          return nullptr;
        else
          return value;
      },
      cell);
}

std::optional<double> number_of(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  return std::nullopt;
}

/// A column in which every row has a `Type`; missing values are none where `whole`.
template <class Type>
bool holds(const Table& table, std::size_t column) {
  bool any = false;
  for (const auto& row : table.rows) {
    if (std::holds_alternative<std::monostate>(row[column])) continue;
    if (!std::holds_alternative<Type>(row[column])) return false;
    any = true;
  }
  return any;
}

std::size_t distinct(const Table& table, std::size_t column) {
  std::set<std::string> values;
  for (const auto& row : table.rows) values.insert(json_of(row[column]).dump());
  return values.size();
}

/// Whole numbers that say what came of a row, or its size in other words; they tell no curves apart.
bool is_result(const Column& column) {
  return column.name == "Last rank" || column.name == "Elements";
}

/// The whole number that takes most values, the first of several: a size, a number of cores.
std::optional<std::size_t> abscissa(const Table& table) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (holds<std::int64_t>(table, i) && distinct(table, i) >= 3 && table.columns[i].unit != "us" &&
        !is_result(table.columns[i]) && (!best || distinct(table, i) > distinct(table, *best)))
      best = i;
  return best;
}

std::string unit_of(const Column& column) {
  if (!column.unit.empty()) return column.unit;
  return column.name == "bytes" ? "bytes" : "1";
}

/// The columns that tell curves apart: words and numbers that are not the same in all rows.
std::vector<std::size_t> keys_of(const Table& table, std::size_t x) {
  std::vector<std::size_t> keys;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (i != x && (holds<std::string>(table, i) || holds<std::int64_t>(table, i)) && distinct(table, i) > 1 &&
        !is_result(table.columns[i]))
      keys.push_back(i);
  return keys;
}

std::string key_text(const std::vector<Cell>& row, const std::vector<std::size_t>& keys) {
  std::string text;
  for (const std::size_t key : keys)
    if (!std::holds_alternative<std::monostate>(row[key]))
      text += (text.empty() ? "" : " ") +
          (std::holds_alternative<std::string>(row[key])
               ? std::get<std::string>(row[key])
               : fmt::format("{}", std::get<std::int64_t>(row[key])));
  return text;
}

/// Columns of that unit that are worth a curve.
std::vector<std::size_t> ordinates(const Table& table, const std::string& unit) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].unit != unit || !holds<double>(table, i)) continue;
    if (table.columns[i].name == "Last to end") return {i}; // the operation's own time
    found.push_back(i);
  }
  return found;
}

void add_curves(std::vector<Json>& figures, const Table& from, const std::string& unit) {
  const auto x = abscissa(from);
  const auto ys = ordinates(from, unit);
  if (!x || ys.empty()) return;
  const auto keys = keys_of(from, *x);
  std::map<std::string, std::map<double, double>> lines;
  std::vector<std::string> order;
  for (const auto& row : from.rows)
    for (const std::size_t y : ys) {
      const auto at = number_of(row[*x]), value = number_of(row[y]);
      if (!at || !value) continue;
      std::string name = key_text(row, keys);
      if (ys.size() > 1 || name.empty()) name += (name.empty() ? "" : " ") + from.columns[y].name;
      if (!lines.contains(name)) order.push_back(name);
      if (!lines[name].emplace(*at, *value).second) return; // no function of x
    }
  if (lines.size() > most_curves || lines.empty()) return;
  std::vector<Curve> all;
  for (const std::string& name : order) {
    const auto& points = lines.at(name);
    Curve& curve = all.emplace_back(Curve{name, {points.begin(), points.end()}, false, {}});
    if (!(curve.published = name.find(published_word) != std::string::npos)) continue;
    std::string simulated = name;
    simulated.replace(simulated.find(published_word), published_word.size(), simulated_word);
    if (lines.contains(simulated)) curve.of = simulated;
  }
  const Column& axis = from.columns[*x];
  figures.push_back(curves(from.title, {axis.name, unit_of(axis), true},
                           {ys.size() == 1 ? from.columns[ys.front()].name : "time", unit, true}, all));
}

bool is_histogram(const Table& from) {
  return from.columns.size() > 2 && from.columns[0].name == "From" && from.columns[1].name == "To";
}

Json histogram(const Table& from) {
  Json figure{{"kind", "histogram"}, {"title", from.title}, {"unit", from.columns[0].unit}};
  figure["bins"] = Json::array();
  figure["series"] = Json::array();
  for (const auto& row : from.rows) figure["bins"].push_back({json_of(row[0]), json_of(row[1])});
  for (std::size_t i = 2; i < from.columns.size(); ++i) {
    Json counts = Json::array();
    for (const auto& row : from.rows) counts.push_back(json_of(row[i]));
    figure["series"].push_back({{"name", from.columns[i].name}, {"counts", std::move(counts)}});
  }
  return figure;
}

} // namespace

Json curves(const std::string& title, const Axis& x, const Axis& y, const std::vector<Curve>& curves,
            const std::vector<Crossing>& crossings) {
  const auto axis = [](const Axis& one) {
    return Json{{"name", one.name}, {"unit", one.unit}, {"log", one.logarithmic}};
  };
  Json figure{{"kind", "curves"}, {"title", title}, {"x", axis(x)}, {"y", axis(y)}};
  figure["series"] = Json::array();
  for (const Curve& one : curves) {
    Json points = Json::array();
    for (const auto& [at, value] : one.points) points.push_back({at, value});
    Json series{{"name", one.name}, {"style", one.published ? "points" : "line"}};
    if (!one.of.empty()) series["of"] = one.of;
    series["points"] = std::move(points);
    figure["series"].push_back(std::move(series));
  }
  figure["crossovers"] = Json::array();
  for (const Crossing& one : crossings)
    figure["crossovers"].push_back({{"at", one.at}, {"from", one.from}, {"to", one.to}});
  return figure;
}

Json table(const Table& from) {
  // Titles of tables for terminals go on over several lines, as comments.
  const std::size_t line = from.title.find('\n');
  Json figure{{"kind", "table"}, {"title", from.title.empty() ? "Results" : from.title.substr(0, line)}};
  if (line != std::string::npos) {
    std::string note = from.title.substr(line + 1);
    for (std::size_t at = 0; (at = note.find("# ", at)) != std::string::npos;) note.erase(at, 2);
    figure["note"] = note;
  }
  figure["columns"] = Json::array();
  figure["rows"] = Json::array();
  for (const Column& column : from.columns) figure["columns"].push_back({column.name, column.unit});
  for (const auto& row : from.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(json_of(cell));
    figure["rows"].push_back(std::move(cells));
  }
  return figure;
}

std::vector<Json> figures_of(const Table& from) {
  std::vector<Json> figures;
  if (from.rows.empty()) return figures;
  Table titled = from;
  if (titled.title.empty()) titled.title = "Results";
  if (is_histogram(titled)) {
    figures.push_back(histogram(titled));
    return figures;
  }
  for (const char* unit : {"us", "MiB/s"}) add_curves(figures, titled, unit);
  const bool drawn = !figures.empty();
  figures.push_back(table(titled));
  if (drawn) figures.back()["folded"] = true;
  return figures;
}

} // namespace rccebench::page
