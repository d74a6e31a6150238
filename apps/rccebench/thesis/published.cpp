#include "thesis/published.hpp"

#include <fstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "lists.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench::thesis {

const char* name_of(Which table) {
  return table == Which::cube ? "cube" : "dopl";
}

std::vector<PublishedCell> read_tables(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in)
    throw mesh::UserError(
        fmt::format("'{}': cannot be read; it belongs beside rccebench (../share/rockcreek)", file.string()));
  std::vector<PublishedCell> cells;
  int number = 0;
  bool header = true;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (std::exchange(header, false)) continue;
    try {
      const auto fields = cut(line, ',');
      const Which table = fields.at(0) == "dopl" ? Which::dopl : Which::cube;
      cells.push_back({table, std::stoll(fields.at(1)), std::stoll(fields.at(2)), std::stoll(fields.at(3)),
                       std::stod(fields.at(4)) * 1e6});
    } catch (const std::logic_error&) { // std::out_of_range, std::invalid_argument
      throw mesh::UserError(
          fmt::format("'{}' line {}: a column is missing or is no number", file.string(), number));
    }
  }
  return cells;
}

} // namespace rccebench::thesis
