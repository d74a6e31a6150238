// SPDX-License-Identifier: Apache-2.0
#include "thesis/published.hpp"

#include <string>

#include "csv_rows.hpp"

namespace rccebench::thesis {

const char* name_of(Which table) {
  return table == Which::cube ? "cube" : "dopl";
}

std::vector<PublishedCell> read_tables(const std::filesystem::path& file) {
  std::vector<PublishedCell> cells;
  read_rows(file, [&](const Fields& text) {
    cells.push_back({text("table") == "dopl" ? Which::dopl : Which::cube, std::stoll(text("message_bytes")),
                     std::stoll(text("piece_bytes")), std::stoll(text("printed_bytes")),
                     std::stod(text("time_s")) * 1e6});
  });
  return cells;
}

} // namespace rccebench::thesis
