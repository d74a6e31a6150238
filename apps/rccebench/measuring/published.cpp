// SPDX-License-Identifier: Apache-2.0
#include "measuring/published.hpp"

#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace rccebench {

std::vector<Published> read_published(const CsvTable& table,
                                      const std::function<void(Published&, const Fields&)>& check) {
  using namespace std::string_view_literals;
  constexpr std::array known{"group"sv, "id"sv,       "machine"sv,  "use"sv,      "value"sv,
                             "unit"sv,  "core_mhz"sv, "mesh_mhz"sv, "dram_mhz"sv, "cores"sv,
                             "bytes"sv, "hops"sv,     "quantity"sv, "source"sv,   "tolerance"sv};
  constexpr std::array uses{"fit"sv, "report"sv};
  table.check_columns(known);
  std::vector<Published> rows;
  table.each([&](const Fields& text) {
    const auto whole = [&](const char* column) {
      const auto number = text.whole(column, 0, std::numeric_limits<int>::max());
      return number ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
    };
    Published row;
    row.group = text("group");
    row.id = text("id");
    text.check_word("use", uses);
    row.fit = text.optional("use") == "fit";
    row.value = text.positive("value");
    row.unit = text.optional("unit");
    row.cores = whole("cores");
    row.hops = whole("hops");
    row.bytes = whole("bytes");
    row.quantity = text.optional("quantity");
    row.source = text.optional("source");
    if (check) check(row, text);
    rows.push_back(std::move(row));
  });
  return rows;
}

} // namespace rccebench
