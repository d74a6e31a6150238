// SPDX-License-Identifier: Apache-2.0
#include "thesis/ratios.hpp"

#include <cmath>

#include <fmt/format.h>

#include "thesis/figures.hpp"

namespace rccebench::thesis {
namespace {

/// DOPL "about 20 % faster" for small messages, "about 5.5x" for medium and "about 10x" for large ones.
constexpr double stated_cube_to_dopl[] = {1.2, 5.5, 10};
/// RCCE_bcast "about 10x slower", without a range; taken against the cube.
constexpr double stated_rcce_to_cube = 10;

/// Geometric mean over the sizes; nothing unless all were reached.
std::optional<double> mean_ratio(const Plan& plan, const std::vector<std::size_t>& over,
                                 const std::vector<std::size_t>& under) {
  double sum = 0;
  for (std::size_t i = 0; i < over.size(); ++i) {
    const auto a = plan.us(over[i]), b = plan.us(under[i]);
    if (!a || !b) return std::nullopt;
    sum += std::log(*a / *b);
  }
  return std::exp(sum / static_cast<double>(over.size()));
}

std::vector<std::size_t> joined(const std::vector<const std::vector<std::size_t>*>& lists) {
  std::vector<std::size_t> all;
  for (const auto* list : lists) all.insert(all.end(), list->begin(), list->end());
  return all;
}

/// More than all where the lead turns round once all copy alike.
Cell share_text(const std::optional<double>& percent) {
  if (!percent || *percent < 0) return {};
  return *percent > 100 ? Cell{std::string("all")} : Cell{fmt::format("{:.0f} %", *percent)};
}

} // namespace

std::optional<double> Ratio::factor() const {
  if (!simulated) return std::nullopt;
  return std::max(*simulated / stated, stated / *simulated);
}

Ratios::Ratios(const Variant& variant, Plan& plan) {
  for (const Range& range : ranges()) {
    Sides sides;
    for (const auto bytes : range.sizes()) {
      const auto add = [&](Places& places, Copies copies) {
        const auto place = [&](Broadcast what) { return plan.add(run_of(variant, what, bytes, 48, copies)); };
        places.rcce.push_back(place(Broadcast::rcce));
        places.cube.push_back(place(Broadcast::cube));
        places.dopl.push_back(place(Broadcast::dopl));
      };
      add(sides.as_thesis, Copies::as_thesis);
      add(sides.prefetching, Copies::all_prefetching);
    }
    ranges_.push_back(std::move(sides));
  }
}

std::vector<Ratio> Ratios::of(const Plan& plan) const {
  std::vector<Ratio> found;
  for (std::size_t r = 0; r < ranges_.size(); ++r) {
    const Sides& sides = ranges_[r];
    found.push_back({fmt::format("cube_to_dopl_{}", ranges()[r].name), stated_cube_to_dopl[r],
                     mean_ratio(plan, sides.as_thesis.cube, sides.as_thesis.dopl),
                     mean_ratio(plan, sides.prefetching.cube, sides.prefetching.dopl)});
  }
  std::vector<const std::vector<std::size_t>*> rcce, cube, rcce_alike, cube_alike;
  for (const Sides& sides : ranges_) {
    rcce.push_back(&sides.as_thesis.rcce);
    cube.push_back(&sides.as_thesis.cube);
    rcce_alike.push_back(&sides.prefetching.rcce);
    cube_alike.push_back(&sides.prefetching.cube);
  }
  found.push_back({"rcce_to_cube", stated_rcce_to_cube, mean_ratio(plan, joined(rcce), joined(cube)),
                   mean_ratio(plan, joined(rcce_alike), joined(cube_alike))});
  return found;
}

std::optional<double> share_of_copies(const Ratio& ratio) {
  if (!ratio.simulated || !ratio.prefetching || *ratio.simulated <= 1) return std::nullopt;
  return (1 - std::log(*ratio.prefetching) / std::log(*ratio.simulated)) * 100;
}

Table view_of(const std::vector<Ratio>& ratios) {
  Table view{
      "ratios of times that the text states; simulated: geometric mean over the figure's sizes, 48 cores",
      {{"Ratio", "", 0},
       {"Stated", "", 2},
       {"Simulated", "", 2},
       {"Apart, factor", "", 2},
       {"Reach", "", 0},
       {"All prefetching", "", 2},
       {"Due to copies", "", 0, true}},
      {}};
  const auto cell = [](const std::optional<double>& number) { return number ? Cell{*number} : Cell{}; };
  for (const Ratio& ratio : ratios) {
    const auto factor = ratio.factor();
    view.rows.push_back({ratio.name, ratio.stated, cell(ratio.simulated), cell(factor),
                         factor ? Cell{std::string(*factor <= ratio_reach ? "within" : "beyond")} : Cell{},
                         cell(ratio.prefetching), share_text(share_of_copies(ratio))});
  }
  return view;
}

nlohmann::ordered_json json_of(const std::vector<Ratio>& ratios) {
  auto json = nlohmann::ordered_json::object();
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  for (const Ratio& ratio : ratios) {
    const auto factor = ratio.factor();
    json[ratio.name] = {{"stated", ratio.stated},
                        {"simulated", number(ratio.simulated)},
                        {"factor_apart", number(factor)},
                        {"within_reach", factor && *factor <= ratio_reach},
                        {"all_prefetching", number(ratio.prefetching)},
                        {"due_to_copies_percent", number(share_of_copies(ratio))}};
  }
  return json;
}

} // namespace rccebench::thesis
