#include "published.hpp"

#include <fstream>
#include <map>

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

std::vector<Published> read_published(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in)
    throw mesh::UserError(
        fmt::format("'{}': cannot be read; it belongs beside rccebench (../share/rockcreek)", file.string()));
  std::vector<Published> rows;
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
      const auto text = [&](const char* column) -> const std::string& {
        return fields.at(columns.at(column));
      };
      const auto whole = [&](const char* column) {
        return text(column).empty() ? std::nullopt : std::optional<int>(std::stoi(text(column)));
      };
      Published row;
      row.group = text("group");
      row.id = text("id");
      row.fit = text("use") == "fit";
      row.value = std::stod(text("value"));
      row.unit = text("unit");
      row.cores = whole("cores");
      row.hops = whole("hops");
      row.bytes = whole("bytes");
      row.quantity = text("quantity");
      row.source = text("source");
      rows.push_back(std::move(row));
    } catch (const std::logic_error&) { // std::out_of_range, std::invalid_argument
      throw mesh::UserError(
          fmt::format("'{}' line {}: a column is missing or is no number", file.string(), number));
    }
  }
  return rows;
}

} // namespace rccebench
