// SPDX-License-Identifier: Apache-2.0
#include "present/csv_rows.hpp"

#include <fstream>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"

namespace rccebench {

std::vector<std::string> fields_of(const std::string& line) {
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
  return fields;
}

void read_rows(const std::filesystem::path& file, const std::function<void(const Fields&)>& read) {
  std::ifstream in(file);
  if (!in)
    throw mesh::UserError(
        fmt::format("'{}': cannot be read; it belongs beside rccebench (../share/rockcreek)", file.string()));
  std::map<std::string, std::size_t> columns;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const auto fields = fields_of(line);
    if (columns.empty()) {
      for (std::size_t i = 0; i < fields.size(); ++i) columns[fields[i]] = i;
      continue;
    }
    try {
      read([&](const char* column) -> const std::string& { return fields.at(columns.at(column)); });
    } catch (const mesh::UserError& error) {
      throw mesh::UserError(fmt::format("'{}' line {}: {}", file.string(), number, error.what()));
    } catch (const std::logic_error&) { // std::out_of_range, std::invalid_argument
      throw mesh::UserError(
          fmt::format("'{}' line {}: a column is missing or is no number", file.string(), number));
    }
  }
}

} // namespace rccebench
