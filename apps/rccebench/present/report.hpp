// SPDX-License-Identifier: Apache-2.0
// What a benchmark has to say: the settings it ran with, a table whose columns have units, notes and a
// summary, written as a table for people (in the manner of the OSU benchmarks), as CSV or as JSON.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

namespace mesh {
struct Statistic;
using Statistics = std::vector<Statistic>;
} // namespace mesh

namespace rccebench {

struct Column {
  std::string name;   ///< as people read it; in CSV and JSON in lower case with underscores, unit behind it
  std::string unit;   ///< empty for counts and words
  int decimals = 2;   ///< decimals of numbers, in the table only
  bool right = false; ///< words stand at the right too
};

/// A missing value is a std::monostate. A truth is true or false in JSON and CSV, yes or no in a table. In a
/// view a word that ends in * is a winner's.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double, bool>;

struct Table {
  std::string title; ///< may be empty
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

struct Report {
  std::string title;
  std::vector<std::pair<std::string, std::string>> settings;
  Table table;                    ///< one row per measured point
  std::vector<Table> views;       ///< tables that the text format shows instead of `table`, if any
  std::vector<std::string> notes; ///< below the table, text format only
  nlohmann::ordered_json summary; ///< JSON only: its last member
  std::vector<std::pair<std::string, std::shared_ptr<const mesh::Statistics>>>
      statistics; ///< statistics of runs, by their names; not in to_text()

  // For the HTML report alone, as rcce_emu/report/README.md has them; null: none.
  std::string lead;                                   ///< a sentence or two below its title
  std::optional<std::vector<std::string>> page_notes; ///< in place of `notes`
  nlohmann::ordered_json facts, figures, parameters;  ///< arrays
};

/// `markdown` and `latex`, for papers, have the tables of `table`: winners, whose words end in *, are bold.
enum class Format : std::uint8_t { table, csv, json, markdown, latex };

[[nodiscard]] std::string to_text(const Report& report, Format format);
/// The views, or the table where there is none, and the notes, as `table` has them.
[[nodiscard]] std::string tables_text(const Report& report);
[[nodiscard]] nlohmann::ordered_json to_json(const Report& report);

/// Writes to a file, or to standard output when `file` is empty. Throws mesh::UserError when it cannot be
/// written.
void write(const Report& report, Format format, const std::string& file);

/// As write(), of a text that is no report.
void write_out(const std::string& text, const std::string& file);

/// Writes the statistics of all runs: as tables one below the other, as CSV and JSON in one list with a label
/// "run". To a file, in the format that its ending says, or where that is empty as tables to standard error.
/// Throws mesh::UserError when it cannot be written.
void write_statistics(const Report& report, const std::string& file);

} // namespace rccebench
