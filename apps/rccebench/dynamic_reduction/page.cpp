// SPDX-License-Identifier: Apache-2.0
// What the HTML page of the dynamic-reduction publication draws beside its statements.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamic_reduction/claims.hpp"
#include "dynamic_reduction/published.hpp"
#include "page/figures.hpp"

namespace rccebench::dynamic_reduction {
namespace {

using page::Curve;
using page::Json;

/// Of one machine and spread of arrivals, a line for each algorithm.
Json sizes_figure(const Results& results, const Machine& machine, std::size_t spread) {
  std::vector<Curve> curves;
  for (const char* const algorithm : algorithms_in_order) {
    Curve& line = curves.emplace_back(Curve{short_name(algorithm), {}, false, {}});
    for (const std::int64_t elements : sizes) {
      const auto floats = static_cast<double>(elements);
      line.points.emplace_back(floats,
                               results.sweep(machine, algorithm, elements, spread).behind_last / floats);
    }
  }
  return page::curves(fmt::format("{}, spread {}: cycles a float behind the last arrival", machine.printed,
                                  spreads[spread].name),
                      {"floats of each thread", "1", true}, {"T_last a float", "cycles", true}, curves);
}

/// Reductions of one element on one machine: simulated lines, published rings.
Json overhead_figure(const Results& results, const std::vector<Printed>& rows) {
  std::vector<Curve> lines, rings;
  for (const Printed& row : rows) {
    const std::string name = short_name(row.algorithm);
    auto line = std::find_if(lines.begin(), lines.end(), [&](const Curve& one) { return one.name == name; });
    if (line == lines.end()) {
      line = lines.insert(lines.end(), Curve{name, {}, false, {}});
      rings.push_back({name + ", published", {}, true, name});
    }
    line->points.emplace_back(row.threads, simulated(results, row));
    rings[static_cast<std::size_t>(line - lines.begin())].points.emplace_back(row.threads, row.cycles);
  }
  lines.insert(lines.end(), rings.begin(), rings.end());
  return page::curves(fmt::format("One element on {}, spread {}", rows.front().machine, rows.front().spread),
                      {"threads", "1", false}, {"T_last", "cycles", true}, lines);
}

} // namespace

std::vector<Json> page_curves(const Results& results) {
  std::vector<std::vector<Printed>> groups;
  for (const Printed& row : read_printed()) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& rows) {
      return rows.front().machine == row.machine && rows.front().spread == row.spread;
    });
    if (same == groups.end())
      groups.push_back({row});
    else
      same->push_back(row);
  }
  std::vector<Json> figures;
  for (const auto& rows : groups)
    if (rows.front().threads != rows.back().threads) figures.push_back(overhead_figure(results, rows));
  for (const Machine& machine : machines)
    for (std::size_t spread = 0; spread < std::size(spreads); ++spread)
      figures.push_back(sizes_figure(results, machine, spread));
  return figures;
}

std::vector<show::Asked> shown_schedules() {
  constexpr int threads = 12;
  std::vector<show::Asked> all;
  for (const char* const algorithm : algorithms_in_order)
    all.push_back(show::asked(algorithm, xeon, threads));
  return all;
}

} // namespace rccebench::dynamic_reduction
