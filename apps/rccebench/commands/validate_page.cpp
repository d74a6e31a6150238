// SPDX-License-Identifier: Apache-2.0
#include "commands/validate_page.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "page/figures.hpp"

namespace rccebench {
namespace {

constexpr std::string_view core_word = "core ";

struct PointPosition {
  double number;
  std::string what;
};

std::optional<PointPosition> place_of(const std::string& point) {
  const bool core = point.starts_with(core_word);
  const char *const begin = point.data() + (core ? core_word.size() : 0),
                    *const end = point.data() + point.size();
  long number = 0;
  const auto [rest, error] = std::from_chars(begin, end, number);
  if (error != std::errc{}) return std::nullopt;
  return PointPosition{static_cast<double>(number),
                       core ? "core" : std::string(std::min(rest + 1, end), end)};
}

} // namespace

std::vector<nlohmann::ordered_json> validation_figures(const Table& view) {
  page::Curve model{"model", {}, false, {}}, published{"published", {}, true, "model"};
  std::string what, unit;
  for (const auto& row : view.rows) {
    const auto place = place_of(std::get<std::string>(row[0]));
    if (!place) return {page::table(view)};
    what = place->what;
    unit = std::get<std::string>(row[3]);
    model.points.emplace_back(place->number, std::get<double>(row[1]));
    published.points.emplace_back(place->number, std::get<double>(row[2]));
  }
  std::sort(model.points.begin(), model.points.end());
  std::sort(published.points.begin(), published.points.end());
  const bool sizes = what == "bytes";
  nlohmann::ordered_json curves =
      page::curves(view.title.substr(0, view.title.find('\n')), {what, sizes ? "bytes" : "1", sizes},
                   {"model, and published", unit, sizes}, {model, published});
  nlohmann::ordered_json table = page::table(view);
  curves["note"] = table["note"];
  table.erase("note");
  table["folded"] = true;
  return {std::move(curves), std::move(table)};
}

} // namespace rccebench
