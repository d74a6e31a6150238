// SPDX-License-Identifier: Apache-2.0
#include "present/csv_rows.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/read_number.hpp"
#include "mesh_sim/text_file.hpp"

namespace rccebench {

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  if (quoted)
    throw mesh::UserError(
        fmt::format("column {}: a double quote is not closed; a field ends on its line", fields.size()));
  return fields;
}

const std::string& Fields::operator()(std::string_view column) const {
  const auto at = std::ranges::find(columns_, column);
  if (at == columns_.end())
    throw mesh::UserError(
        fmt::format("there is no column '{}'; there are {}", column, fmt::join(columns_, ", ")));
  return fields_[static_cast<std::size_t>(at - columns_.begin())];
}

std::string_view Fields::optional(std::string_view column) const {
  return std::ranges::find(columns_, column) == columns_.end() ? std::string_view() : (*this)(column);
}

double Fields::number(std::string_view column) const {
  const std::string& text = (*this)(column);
  double number = 0;
  if (!mesh::read_number(text, number))
    throw mesh::UserError(fmt::format("column '{}': '{}' is no number; write digits alone, with a point, as "
                                      "140.5; a unit has its own column",
                                      column, mesh::shown(text)));
  return number;
}

double Fields::positive(std::string_view column) const {
  const double value = number(column);
  if (!(value > 0))
    throw mesh::UserError(fmt::format("column '{}': {} is not above 0", column, (*this)(column)));
  return value;
}

std::optional<std::int64_t> Fields::whole(std::string_view column, std::int64_t least,
                                          std::int64_t most) const {
  const std::string_view text = optional(column);
  if (text.empty()) return std::nullopt;
  std::int64_t number = 0;
  if (!mesh::read_number(text, number) || number < least || number > most)
    throw mesh::UserError(fmt::format("column '{}': '{}' is no whole number from {} to {}", column,
                                      mesh::shown(text), least, most));
  return number;
}

void Fields::check_word(std::string_view column, std::span<const std::string_view> words) const {
  const std::string_view text = optional(column);
  if (!text.empty() && std::ranges::find(words, text) == words.end())
    throw mesh::UserError(
        fmt::format("column '{}': '{}' is none of {}", column, mesh::shown(text), fmt::join(words, ", ")));
}

std::string text_of_table(const std::filesystem::path& file) {
  const auto text = mesh::read_text_file(file.string());
  if (!text)
    throw mesh::UserError(fmt::format("'{}': cannot be read; name a CSV file (tables of rockcreek's own "
                                      "belong beside rccebench, in ../share/rockcreek)",
                                      file.string()));
  return *text;
}

CsvTable::CsvTable(const std::filesystem::path& file) : CsvTable(file.string(), text_of_table(file)) {}

CsvTable::CsvTable(std::string file, std::string_view text) : file_(std::move(file)) {
  std::string_view rest = text;
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty() || line.front() == '#') continue;
    if (!columns_.empty()) {
      lines_.push_back({number, std::string(line)});
      continue;
    }
    try {
      columns_ = fields_of(line);
      const auto other = columns_.size() == 1 ? columns_.front().find_first_of(";\t") : std::string::npos;
      if (other != std::string::npos)
        throw mesh::UserError(
            fmt::format("fields are separated by {}; write commas between them, and a point in "
                        "numbers",
                        columns_.front()[other] == ';' ? "semicolons" : "tabs"));
      for (const std::string& name : columns_)
        if (name.starts_with(' ') || name.ends_with(' ') || name.find('\r') != std::string::npos)
          throw mesh::UserError(
              fmt::format("column '{}': leave out blanks beside commas, and end lines with a line feed",
                          mesh::shown(name)));
      for (auto name = columns_.begin(); name != columns_.end(); ++name)
        if (std::find(columns_.begin(), name, *name) != name)
          throw mesh::UserError(
              fmt::format("two columns are called '{}'; leave one out", mesh::shown(*name)));
    } catch (const mesh::UserError& error) {
      throw mesh::UserError(fmt::format("'{}' line {}: {}", file_, number, error.what()));
    }
  }
  if (columns_.empty()) throw mesh::UserError(fmt::format("'{}': has no line that names its columns", file_));
}

bool CsvTable::has(std::string_view column) const {
  return std::ranges::find(columns_, column) != columns_.end();
}

void CsvTable::check_columns(std::span<const std::string_view> known) const {
  for (const std::string& column : columns_) {
    if (std::ranges::find(known, column) != known.end()) continue;
    const std::string_view near = mesh::nearest(column, known);
    throw mesh::UserError(fmt::format("'{}': there is no column '{}'; allowed are {}{}", file_,
                                      mesh::shown(column), fmt::join(known, ", "),
                                      near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
  }
}

void CsvTable::each(const std::function<void(const Fields&)>& read) const {
  for (const auto& [number, text] : lines_) try {
      auto fields = fields_of(text);
      if (fields.size() != columns_.size())
        throw mesh::UserError(fmt::format("{} fields, and there are {} columns; a field with a comma stands "
                                          "in double quotes",
                                          fields.size(), columns_.size()));
      read({columns_, std::move(fields)});
    } catch (const mesh::UserError& error) {
      throw mesh::UserError(fmt::format("'{}' line {}: {}", file_, number, error.what()));
    } catch (const std::logic_error&) { // of an installed table's own lists: std::out_of_range
      throw mesh::UserError(
          fmt::format("'{}' line {}: a list is too short or holds no number", file_, number));
    }
}

} // namespace rccebench
