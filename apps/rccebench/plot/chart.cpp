// SPDX-License-Identifier: Apache-2.0
#include "plot/chart.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench::plot {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* usual_x[] = {"bytes", "size_bytes", "elements", "nodes", "threads", "cores", "hops"};
constexpr const char* usual_y[] = {"simulated_us_max", "latency_us", "quiet_us",  "mean_us", "time_us",
                                   "max_us",           "us",         "simulated", "model"};
constexpr const char* usual_bandwidth[] = {"bandwidth_mib_per_s"};
constexpr const char* lengths[] = {"bytes", "size_bytes"};
constexpr const char* published_key = "published";
/// Words that tell of the result, not of what was run.
const std::set<std::string, std::less<>> results{
    "check", "correct", "digest",      "winner",  "auto_takes",  "source",   "reason",
    "holds", "right",   "arrivals_us", "host_us", "wrong_bytes", "last_rank"};
constexpr const char *row_number = "row", *unit_key = "unit";
constexpr std::size_t most_lines = 24;

class Rows {
 public:
  Rows(const Json& document, const Choice& choice, const std::string& file) : file_(file) {
    check_rows(document, file);
    for (const Json& row : document["rows"]) {
      rows_.push_back(&row);
      for (const auto& [key, value] : row.items())
        if (std::find(keys_.begin(), keys_.end(), key) == keys_.end()) keys_.push_back(key);
    }
    for (const std::string& one : choice.only) keep(one);
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  [[nodiscard]] std::optional<double> number(std::size_t row, const std::string& key) const {
    if (key == row_number) return static_cast<double>(row + 1);
    const auto value = rows_[row]->find(key);
    if (value == rows_[row]->end() || !value->is_number()) return {};
    return value->get<double>();
  }
  [[nodiscard]] std::string word(std::size_t row, const std::string& key) const {
    const auto value = rows_[row]->find(key);
    if (value == rows_[row]->end() || value->is_null()) return "";
    return value->is_string() ? value->get<std::string>() : value->dump();
  }
  [[nodiscard]] bool has_number(const std::string& key) const {
    for (std::size_t row = 0; row < size(); ++row)
      if (number(row, key)) return true;
    return false;
  }
  [[nodiscard]] std::size_t values(const std::string& key) const {
    std::set<double> all;
    for (std::size_t row = 0; row < size(); ++row)
      if (const auto value = number(row, key)) all.insert(*value);
    return all.size();
  }
  /// True if the key may tell lines apart: words and whole numbers that are no results.
  [[nodiscard]] bool tells_apart(const std::string& key) const {
    if (results.contains(key)) return false;
    return std::all_of(rows_.begin(), rows_.end(), [&](const Json* row) {
      const auto value = row->find(key);
      return value == row->end() || value->is_null() || value->is_string() || value->is_number_integer();
    });
  }

  [[nodiscard]] std::string asked(const char* option, const std::string& key) const {
    if (has_number(key)) return key;
    std::vector<std::string_view> known;
    for (const std::string& one : keys_)
      if (has_number(one)) known.push_back(one);
    const std::string_view near = mesh::nearest(key, known);
    throw mesh::UserError(fmt::format("{} '{}': '{}' has no such numbers{}; there are {}", option, key, file_,
                                      near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                                      fmt::join(known, ", ")));
  }
  template <class Names>
  [[nodiscard]] std::string first_of(const Names& names, std::size_t least_values) const {
    for (const char* const name : names)
      if (values(name) >= least_values) return name;
    return "";
  }

 private:
  void keep(const std::string& only) {
    const std::size_t equals = only.find('=');
    const std::string key = only.substr(0, equals);
    if (equals == std::string::npos || equals == 0)
      throw mesh::UserError(fmt::format("--only '{}': takes MEMBER=VALUE,VALUE", only));
    if (std::find(keys_.begin(), keys_.end(), key) == keys_.end()) {
      const std::vector<std::string_view> known(keys_.begin(), keys_.end());
      const std::string_view near = mesh::nearest(key, known);
      throw mesh::UserError(fmt::format("--only '{}': '{}' has no such member{}; there are {}", only, file_,
                                        near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                                        fmt::join(keys_, ", ")));
    }
    const std::vector<std::string> values = cut(only.substr(equals + 1), ',');
    std::set<std::string> there;
    std::vector<const Json*> kept;
    for (std::size_t row = 0; row < size(); ++row) {
      there.insert(word(row, key));
      if (std::find(values.begin(), values.end(), word(row, key)) != values.end()) kept.push_back(rows_[row]);
    }
    if (kept.empty())
      throw mesh::UserError(
          fmt::format("--only '{}': no row that is left has it; there are {}", only, fmt::join(there, ", ")));
    rows_ = std::move(kept);
  }

  const std::string& file_;
  std::vector<const Json*> rows_;
  std::vector<std::string> keys_; ///< in the order in which they come first
};

std::string x_of(const Rows& rows, const Choice& choice) {
  if (!choice.x.empty()) return rows.asked("--x", choice.x);
  std::string varied;
  for (const char* const name : usual_x)
    if (rows.values(name) > std::max<std::size_t>(1, varied.empty() ? 0 : rows.values(varied))) varied = name;
  if (!varied.empty()) return varied;
  const std::string present = rows.first_of(usual_x, 1);
  return present.empty() || rows.has_number(published_key) ? row_number : present;
}

std::string y_of(const Rows& rows, const Choice& choice, const std::string& file) {
  if (!choice.y.empty()) return rows.asked("--y", choice.y);
  const std::string found = rows.first_of(usual_y, 1);
  if (found.empty())
    throw mesh::UserError(fmt::format("'{}' has none of the usual times ({}); name what to draw by --y", file,
                                      fmt::join(usual_y, ", ")));
  return found;
}

bool has_unit(const Rows& rows) {
  return std::find(rows.keys().begin(), rows.keys().end(), unit_key) != rows.keys().end();
}

/// True for keys that tell lines apart wherever they have several values.
bool is_foremost(const std::string& key) {
  return key == "algorithm" || key == file_key;
}

/// The members by which rows fall into lines.
std::vector<std::string> line_keys(const Rows& rows, const std::string& x, const std::string& y) {
  std::vector<std::string> chosen;
  if (x == row_number) return has_unit(rows) ? std::vector<std::string>{unit_key} : chosen;
  const auto doubles = [&](const std::vector<std::string>& keys) {
    std::set<std::pair<std::string, double>> seen;
    std::size_t twice = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto at = rows.number(row, x);
      if (!at || !rows.number(row, y)) continue;
      std::string name;
      for (const std::string& key : keys) name += rows.word(row, key) + '\n';
      if (!seen.insert({name, *at}).second) ++twice;
    }
    return twice;
  };
  std::vector<std::string> candidates;
  for (const std::string& key : rows.keys())
    if (key != x && key != y && rows.tells_apart(key)) candidates.push_back(key);
  std::stable_partition(candidates.begin(), candidates.end(),
                        [](const std::string& key) { return is_foremost(key); });
  for (const std::string& key : candidates) {
    auto longer = chosen;
    longer.push_back(key);
    std::set<std::string> words;
    for (std::size_t row = 0; row < rows.size(); ++row) words.insert(rows.word(row, key));
    if ((is_foremost(key) && words.size() > 1) || doubles(longer) < doubles(chosen)) chosen = longer;
  }
  return chosen;
}

/// "cube", "cores 12, part_bytes 256"
std::string line_name(const Rows& rows, std::size_t row, const std::vector<std::string>& keys) {
  std::vector<std::string> words;
  for (const std::string& key : keys) {
    const std::string word = rows.word(row, key);
    if (word.empty()) continue;
    const bool number = rows.number(row, key).has_value();
    words.push_back(number ? fmt::format("{} {}", key, word) : word);
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

Curve& curve_of(std::vector<Curve>& curves, const std::string& name, bool published) {
  for (Curve& curve : curves)
    if (curve.name == name && curve.published == published) return curve;
  curves.push_back({name, {}, published});
  return curves.back();
}

std::string label_of(const std::string& key) {
  if (key == "bytes" || key == "size_bytes") return "message (bytes)";
  if (key == "simulated_us_max") return "time of the last rank (us)";
  if (key == "latency_us") return "latency (us)";
  if (key == row_number) return "row";
  std::string label = key;
  std::replace(label.begin(), label.end(), '_', ' ');
  return label;
}

} // namespace

void check_rows(const nlohmann::ordered_json& document, const std::string& file) {
  const auto rows = document.is_object() ? document.find("rows") : document.end();
  if (!document.is_object() || rows == document.end() || !rows->is_array() || rows->empty())
    throw mesh::UserError(fmt::format(
        "'{}' has no rows to draw; write it by a command of rccebench with --format json -o", file));
  for (const Json& row : *rows)
    if (!row.is_object()) throw mesh::UserError(fmt::format("'{}': a row is no object", file));
}

Chart chart_of(const nlohmann::ordered_json& document, const Choice& choice, const std::string& file) {
  const Rows rows(document, choice, file);
  const std::string x = x_of(rows, choice);
  std::string y = choice.bandwidth ? rows.first_of(usual_bandwidth, 1) : std::string();
  const std::string length = choice.bandwidth && y.empty() ? rows.first_of(lengths, 1) : std::string();
  if (choice.bandwidth && y.empty() && length.empty())
    throw mesh::UserError(fmt::format("--bandwidth: '{}' has no lengths of messages", file));
  if (y.empty()) y = y_of(rows, choice, file);
  const auto keys = line_keys(rows, x, y);

  Chart chart;
  if (const auto title = document.find("title"); title != document.end() && title->is_string())
    chart.title = title->get<std::string>();
  chart.title = chart.title.substr(0, chart.title.find(" ("));
  chart.x_label = label_of(x);
  chart.y_label = choice.bandwidth ? "bandwidth (MiB/s)" : label_of(y);
  std::vector<Curve> published;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto at = rows.number(row, x);
    auto value = rows.number(row, y);
    if (!at || !value) continue;
    if (!length.empty()) {
      const auto bytes = rows.number(row, length);
      if (!bytes || *value <= 0) continue;
      value = *bytes / *value / 1.048576; // bytes in a microsecond, as MiB/s
    }
    const std::string name = line_name(rows, row, keys);
    curve_of(chart.curves, name, false).points.push_back({*at, *value});
    if (const auto known = rows.number(row, published_key); known && y != published_key)
      curve_of(published, name.empty() ? "published" : name + published_behind, true)
          .points.push_back({*at, *known});
  }
  if (chart.curves.empty())
    throw mesh::UserError(fmt::format("'{}' has no row with both {} and {}", file, x, y));
  if (chart.curves.size() > most_lines) {
    std::vector<std::string> ways;
    for (const std::string& key : keys) ways.push_back(fmt::format("--only {}=...", key));
    throw mesh::UserError(
        fmt::format("'{}' has {} lines, and at most {} can be told apart; select some by {}", file,
                    chart.curves.size(), most_lines, fmt::join(ways, ", ")));
  }
  chart.joined = x != row_number;
  chart.curves.insert(chart.curves.end(), published.begin(), published.end());
  for (Curve& curve : chart.curves) {
    std::stable_sort(curve.points.begin(), curve.points.end(),
                     [](const Curve::Point& a, const Curve::Point& b) { return a.x < b.x; });
    for (const Curve::Point& point : curve.points) {
      chart.x_log = chart.x_log && point.x > 0 && x != row_number;
      chart.y_log = chart.y_log && point.y > 0;
    }
  }
  return chart;
}

} // namespace rccebench::plot
