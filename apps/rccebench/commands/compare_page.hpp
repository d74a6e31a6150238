// SPDX-License-Identifier: Apache-2.0
// What the HTML report of `rccebench compare` shows beside its table: curves with their crossovers, the map
// of winners, published points, and one run of the winner.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "present/report.hpp"

namespace rccebench {

using RowKey = std::pair<int, std::int64_t>; ///< cores and bytes

/// Fastest time of each algorithm, us.
using Curves = std::map<RowKey, std::map<std::string, double>>;

/// Between two neighbouring sizes with different winners: where the two curves meet, each taken as a power of
/// the size.
struct Crossover {
  int cores;
  std::int64_t from_bytes, to_bytes;
  std::string from, to;
  double at_bytes;
};

/// `algorithms` in the order of the table; `published`: whether the points of the SCC broadcast thesis belong
/// here, broadcasts of 48 cores on its chip.
[[nodiscard]] nlohmann::ordered_json compare_figures(const Curves& curves,
                                                     const std::vector<Crossover>& crossovers,
                                                     const std::vector<std::string>& algorithms,
                                                     bool published);

/// The figures of a sheet of several machines: time by size, or by threads if there is one size only, a line
/// for each algorithm; then its tables.
[[nodiscard]] nlohmann::ordered_json sheet_figures(const Table& all, const Table& winners);

} // namespace rccebench
