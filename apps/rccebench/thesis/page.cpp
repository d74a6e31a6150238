// SPDX-License-Identifier: Apache-2.0
#include "thesis/page.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "page/figures.hpp"

namespace rccebench::thesis {

using page::Json;

Json table_figures(const Json& cells) {
  std::map<std::string, std::map<std::int64_t, std::pair<page::Curve, page::Curve>>>
      tables; // by table, then message size
  for (const Json& cell : cells) {
    const auto bytes = cell["message_bytes"].get<std::int64_t>();
    auto& [ours, theirs] = tables[cell["table"]][bytes];
    ours.name = fmt::format("{} bytes", bytes);
    theirs = {ours.name + ", published", std::move(theirs.points), true, ours.name};
    const auto piece = cell["piece_bytes"].get<double>();
    ours.points.emplace_back(piece, cell["simulated_us"].get<double>());
    theirs.points.emplace_back(piece, cell["published_us"].get<double>());
  }
  Json figures = Json::array();
  for (auto& [name, sizes] : tables) {
    std::vector<page::Curve> all;
    for (auto& [bytes, pair] : sizes)
      for (page::Curve* curve : {&pair.first, &pair.second}) {
        std::sort(curve->points.begin(), curve->points.end());
        all.push_back(std::move(*curve));
      }
    figures.push_back(
        page::curves(fmt::format("Broadcast by {} on 48 cores, by the size of its {}", name,
                                 name == "cube" ? "parts (section 5.5)" : "pieces (section 6.3)"),
                     {"size of a piece", "bytes", true}, {"time", "us", true}, all));
  }
  return figures;
}

Json statements(const Table& verdict) {
  Json figure{{"kind", "claims"}, {"title", "Statements, held and failed"}};
  figure["rows"] = Json::array();
  for (const auto& row : verdict.rows) {
    const auto word = [&](std::size_t i) { return std::get<std::string>(row[i]); };
    if (!word(3).empty())
      figure["rows"].push_back({{"statement", word(0)},
                                {"published", word(1)},
                                {"simulated", word(2)},
                                {"holds", word(3) == "reached"}});
  }
  return figure;
}

} // namespace rccebench::thesis
