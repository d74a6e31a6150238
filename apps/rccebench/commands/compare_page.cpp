// SPDX-License-Identifier: Apache-2.0
#include "commands/compare_page.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "lab.hpp"
#include "page/figures.hpp"
#include "present/csv_rows.hpp"

namespace rccebench {
namespace {

using page::Curve;
using page::Json;

std::string short_of(const std::string& algorithm) {
  return algorithm.substr(algorithm.find('/') + 1);
}

/// The thesis' best time of each message size.
std::vector<Curve> thesis_points() {
  std::map<std::string, std::map<double, double>> best;
  CsvTable(data_path("thesis/published.csv")).each([&](const Fields& field) {
    const std::string& of = field("of"); // "cube, 50000, 512"
    if (of.ends_with("average")) return;
    const std::size_t comma = of.find(',');
    const double us = field.number("value");
    const auto [at, fresh] = best[of.substr(0, comma)].emplace(std::stod(of.substr(comma + 1)), us);
    if (!fresh) at->second = std::min(at->second, us);
  });
  std::vector<Curve> curves;
  for (const auto& [name, points] : best)
    curves.push_back({name + ", published", {points.begin(), points.end()}, true, name});
  return curves;
}

/// Lines of one number of cores: times, or the bandwidth that they mean.
std::vector<Curve> lines_of(const Curves& curves, int cores, const std::vector<std::string>& algorithms,
                            bool bandwidth) {
  constexpr double bytes_per_us_in_mib_per_s = 1.048576;
  std::vector<Curve> lines;
  for (const std::string& algorithm : algorithms) {
    Curve line{short_of(algorithm), {}, false, {}};
    for (const auto& [where, row] : curves)
      if (const auto at = row.find(algorithm); where.first == cores && at != row.end()) {
        const auto bytes = static_cast<double>(where.second);
        line.points.emplace_back(bytes,
                                 bandwidth ? bytes / at->second / bytes_per_us_in_mib_per_s : at->second);
      }
    if (!line.points.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

/// Cores by size, the winner of each.
Json map_of(const Curves& curves, const std::vector<std::string>& algorithms) {
  Json figure{{"kind", "map"}, {"title", "Fastest algorithm by size and cores"}};
  figure["winners"] = Json::array();
  for (const std::string& algorithm : algorithms) figure["winners"].push_back(short_of(algorithm));
  figure["cells"] = Json::array();
  for (const auto& [where, row] : curves) {
    const auto best = std::min_element(row.begin(), row.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto place = std::find(algorithms.begin(), algorithms.end(), best->first) - algorithms.begin();
    figure["cells"].push_back({where.first, where.second, place, best->second});
  }
  return figure;
}

/// The common properties of points of a sheet that share a figure.
struct SheetGroup {
  std::string machine, spread;
  std::int64_t fixed = 0; ///< threads, or the size where there is one only
  auto operator<=>(const SheetGroup&) const = default;
};

/// A line for each algorithm, over sizes, or over threads where there is one size only.
std::map<SheetGroup, std::map<std::string, std::vector<std::pair<double, double>>>>
sheet_lines(const Table& all, bool over_sizes) {
  constexpr std::size_t machine = 0, threads = 2, size = 3, spread = 4, algorithm = 5, time = 6;
  std::map<SheetGroup, std::map<std::string, std::vector<std::pair<double, double>>>> groups;
  for (const std::vector<Cell>& row : all.rows) {
    if (!std::holds_alternative<double>(row[time])) continue; // not timed
    const auto cores = std::get<std::int64_t>(row[threads]), bytes = std::get<std::int64_t>(row[size]);
    const SheetGroup group{std::get<std::string>(row[machine]), std::get<std::string>(row[spread]),
                           over_sizes ? cores : bytes};
    groups[group][short_of(std::get<std::string>(row[algorithm]))].emplace_back(
        static_cast<double>(over_sizes ? bytes : cores), std::get<double>(row[time]));
  }
  return groups;
}

} // namespace

Json sheet_figures(const Table& all, const Table& winners) {
  std::set<std::int64_t> sizes;
  for (const std::vector<Cell>& row : all.rows) sizes.insert(std::get<std::int64_t>(row[3]));
  const bool over_sizes = sizes.size() > 1;
  Json figures = Json::array();
  for (auto& [group, lines] : sheet_lines(all, over_sizes)) {
    std::vector<Curve> curves;
    for (auto& [name, points] : lines) {
      std::sort(points.begin(), points.end());
      if (points.size() > 1) curves.push_back({name, std::move(points), false, {}});
    }
    if (curves.empty()) continue;
    const std::string spread = group.spread == "none" ? "" : fmt::format(", arrivals {}", group.spread);
    figures.push_back(
        page::curves(over_sizes ? fmt::format("Time on {}, {} threads{}", group.machine, group.fixed, spread)
                                : fmt::format("Time on {}{}", group.machine, spread),
                     over_sizes ? page::Axis{"size", "bytes", true} : page::Axis{"threads", "1", true},
                     {"time until the last is done", "us", true}, curves));
  }
  for (const Table* const table : {&winners, &all}) figures.push_back(page::table(*table));
  return figures;
}

Json compare_figures(const Curves& curves, const std::vector<Crossover>& crossovers,
                     const std::vector<std::string>& algorithms, bool published) {
  Json figures = Json::array();
  if (curves.empty()) return figures;
  figures.push_back(map_of(curves, algorithms));
  std::set<int> all_cores;
  for (const auto& [where, row] : curves) all_cores.insert(where.first);
  for (const int cores : all_cores) {
    std::vector<Curve> times = lines_of(curves, cores, algorithms, false);
    if (times.empty() || times.front().points.size() < 2) continue;
    std::vector<page::Crossing> crossed;
    for (const Crossover& one : crossovers)
      if (one.cores == cores) crossed.push_back({one.at_bytes, short_of(one.from), short_of(one.to)});
    if (published && cores == 48)
      for (Curve& points : thesis_points())
        if (std::any_of(times.begin(), times.end(), [&](const Curve& one) { return one.name == points.of; }))
          times.push_back(std::move(points));
    figures.push_back(page::curves(fmt::format("Time on {} cores", cores), {"size", "bytes", true},
                                   {"time until the last rank is done", "us", true}, times, crossed));
    figures.push_back(page::curves(fmt::format("Bandwidth on {} cores", cores), {"size", "bytes", true},
                                   {"message over time", "MiB/s", true},
                                   lines_of(curves, cores, algorithms, true)));
  }
  return figures;
}

} // namespace rccebench
