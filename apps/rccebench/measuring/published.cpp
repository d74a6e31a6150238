// SPDX-License-Identifier: Apache-2.0
#include "measuring/published.hpp"

#include <utility>

#include "present/csv_rows.hpp"

namespace rccebench {

std::vector<Published> read_published(const std::filesystem::path& file) {
  std::vector<Published> rows;
  read_rows(file, [&](const Fields& text) {
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
  });
  return rows;
}

} // namespace rccebench
