// SPDX-License-Identifier: Apache-2.0
#include "commands/tune_page.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "page/figures.hpp"

namespace rccebench {
namespace {

constexpr std::size_t most_lines = 8;

using Points = std::map<std::int64_t, double>; ///< us by x

/// The candidates of one name.
struct CandidateLine {
  std::string name;
  Points points;
  bool chosen = false, standard = false;
  double behind = 0; ///< mean of its times over the best ones
};

std::vector<CandidateLine> lines_of(const std::vector<const Candidate*>& group, const Points& best,
                                    bool computed) {
  std::vector<CandidateLine> lines;
  for (const Candidate* one : group) {
    if (one->name.empty() || one->computed != computed) continue;
    auto line =
        std::find_if(lines.begin(), lines.end(), [&](const CandidateLine& l) { return l.name == one->name; });
    if (line == lines.end()) line = lines.insert(lines.end(), {one->name, {}, false, false, 0});
    line->points[one->x] = one->us;
    line->chosen = line->chosen || one->chosen;
    line->standard = line->standard || one->standard;
  }
  for (CandidateLine& line : lines) {
    for (const auto& [x, us] : line.points) line.behind += us / best.at(x);
    line.behind /= static_cast<double>(line.points.size());
  }
  return lines;
}

page::Curve curve(const std::string& name, const Points& points, bool rings = false) {
  page::Curve one{name, {}, rings, {}};
  for (const auto& [x, us] : points) one.points.emplace_back(static_cast<double>(x), us);
  return one;
}

nlohmann::ordered_json figure_of(const std::vector<const Candidate*>& group, const std::string& x,
                                 const std::string& unit) {
  Points best, slowest, chosen;
  for (const Candidate* one : group) {
    if (one->computed) continue;
    const auto [least, fresh] = best.emplace(one->x, one->us);
    if (!fresh) least->second = std::min(least->second, one->us);
    slowest[one->x] = std::max(slowest[one->x], one->us);
    if (one->chosen) chosen[one->x] = one->us;
  }
  std::vector<CandidateLine> lines = lines_of(group, best, false);
  std::stable_sort(lines.begin(), lines.end(), [](const CandidateLine& a, const CandidateLine& b) {
    return std::tuple(!a.chosen, !a.standard, a.behind) < std::tuple(!b.chosen, !b.standard, b.behind);
  });
  // Values that make no difference, as a fan-out beyond the number of cores, are one line.
  const std::size_t all = lines.size();
  std::vector<CandidateLine> drawn;
  for (CandidateLine& line : lines)
    if (drawn.size() < most_lines && std::none_of(drawn.begin(), drawn.end(), [&](const CandidateLine& one) {
          return one.points == line.points;
        }))
      drawn.push_back(std::move(line));
  std::vector<page::Curve> curves;
  for (const CandidateLine& line : drawn)
    curves.push_back(curve(line.name + (line.standard ? " (default)" : ""), line.points));
  for (const CandidateLine& line : lines_of(group, best, true))
    curves.push_back(curve(line.name, line.points));
  if (slowest != best) curves.push_back(curve("the slowest", slowest));
  curves.push_back(curve("chosen", chosen, true));
  auto figure = page::curves(group.front()->group, {x, unit, true},
                             {"time until the last rank is done", "us", true}, curves);
  figure["rings"] = "Rings are what is chosen.";
  if (all > drawn.size())
    figure["note"] = fmt::format("Without {} more candidates, which the table has.", all - drawn.size());
  return figure;
}

} // namespace

std::vector<nlohmann::ordered_json> tune_figures(const std::vector<Candidate>& candidates,
                                                 const std::string& x, const std::string& unit) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Candidate*>> groups;
  for (const Candidate& one : candidates) {
    if (!groups.contains(one.group)) order.push_back(one.group);
    groups[one.group].push_back(&one);
  }
  std::vector<nlohmann::ordered_json> figures;
  for (const std::string& name : order) {
    const auto& group = groups.at(name);
    if (std::all_of(group.begin(), group.end(),
                    [&](const Candidate* one) { return one->x == group.front()->x; }))
      continue;
    figures.push_back(figure_of(group, x, unit));
  }
  return figures;
}

} // namespace rccebench
