// SPDX-License-Identifier: Apache-2.0
// Figures of an HTML report, as its page takes them (rcce_emu/report/README.md), made from tables.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "present/report.hpp"

namespace rccebench::page {

using Json = nlohmann::ordered_json;

struct Axis {
  std::string name, unit; ///< unit "us", "bytes", "MiB/s"; "1" for a count
  bool logarithmic = true;
};
/// One line, or published points over one.
struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points; ///< by rising x
  bool published = false;                        ///< drawn as rings
  std::string of;                                ///< published: the curve that they are of; else empty
};
/// The point at which one curve undercuts another.
struct Crossing {
  double at;
  std::string from, to;
};

[[nodiscard]] Json curves(const std::string& title, const Axis& x, const Axis& y,
                          const std::vector<Curve>& curves, const std::vector<Crossing>& crossings = {});
[[nodiscard]] Json table(const Table& table);
/// The figures of a table: a histogram if its columns are From, To and counts; curves if a number is a
/// function of another, one figure for each unit; and always the table.
[[nodiscard]] std::vector<Json> figures_of(const Table& table);

} // namespace rccebench::page
