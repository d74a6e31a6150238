// SPDX-License-Identifier: Apache-2.0
#include "dynamic_reduction/published.hpp"

#include "csv_rows.hpp"
#include "lab.hpp"

namespace rccebench::dynamic_reduction {

std::vector<Printed> read_printed() {
  std::vector<Printed> rows;
  read_rows(data_path("dynamic_reduction.csv"), [&](const Fields& field) {
    rows.push_back({field("id"), field("algorithm"), field("machine"), field("spread"),
                    std::stoi(field("threads")), std::stod(field("cycles"))});
  });
  return rows;
}

double simulated(const Results& results, const Printed& row) {
  const bool quad = row.machine.starts_with("quad");
  const std::string preset = quad       ? row.machine.ends_with("Xeon") ? "xeon-e7-4830" : amd
      : row.machine.starts_with("Xeon") ? xeon
                                        : amd;
  return results.overhead(preset, row.algorithm, row.threads, row.spread == "B" ? spread_b : none,
                          quad ? "scatter" : "compact");
}

} // namespace rccebench::dynamic_reduction
