// SPDX-License-Identifier: Apache-2.0
// Statistics of a run: numbers with name, unit and meaning, each declared once where it is counted, and one
// writer for all of them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mesh {

/// The meaning of a number. Its name is FAMILY.NAME; all numbers of a family have the same labels.
struct StatisticKind {
  std::string_view name;        ///< "core.lines_put"
  std::string_view unit;        ///< "us"; "1" for a count of nothing in particular
  std::string_view description; ///< one line
};

struct Statistic {
  std::string_view name, unit, description;                ///< those of its kind, which outlive it
  std::vector<std::pair<std::string, std::string>> labels; ///< which one: {"core", "3"}; in a fixed order
  double value = 0;                                        ///< counts are exact up to 2^53
};
using Statistics = std::vector<Statistic>;
using Labels = std::vector<std::pair<std::string, std::string>>;

inline void add(Statistics& to, const StatisticKind& kind, const Labels& labels, double value) {
  to.push_back({kind.name, kind.unit, kind.description, labels, value});
}
/// As JSON has it, with its quotes.
[[nodiscard]] std::string json_string(std::string_view text);
/// Sum of all of that name.
[[nodiscard]] double sum(const Statistics& statistics, std::string_view name);

/// The version of names, units, labels and their order; raised if one of them changes its meaning or goes.
inline constexpr int statistics_schema = 1;

enum class StatisticsFormat {
  table, ///< for people: one table by family, a row by labels, the hottest first: the largest in the first
         ///< column
  csv,   ///< statistic,labels,unit,value; labels as "core=3", several apart by a space
  json,  ///< an array of objects: name, unit, description, labels, value
};
/// In csv and json, too, the rows of a family stand in the order of the table, behind one called
/// schema.version.
/// As the file's name ends: .csv, .json, else a table.
[[nodiscard]] StatisticsFormat statistics_format(std::string_view file) noexcept;
[[nodiscard]] std::string write_statistics(const Statistics& statistics, StatisticsFormat format);
/// The same of links, ports and controllers: in csv with three columns more, x, y and direction of each.
[[nodiscard]] std::string write_links(const Statistics& statistics, StatisticsFormat format);

} // namespace mesh
