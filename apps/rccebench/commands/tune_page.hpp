// SPDX-License-Identifier: Apache-2.0
// The curves of the HTML report of `rccebench tune`: time against size of each candidate, rings where it is
// chosen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace rccebench {

/// A measured candidate for one place on the x axis.
struct Candidate {
  std::string group;  ///< candidates of one figure: "bcast/cube on 12 cores"
  std::int64_t x = 0; ///< size in bytes, number of cores or of threads
  std::string name; ///< name of its curve: "part=1024"; empty: it belongs to none, and counts for the slowest
  double us = 0;
  bool chosen = false;   ///< for this x
  bool standard = false; ///< true if it is the default
  bool computed = false; ///< by a formula: drawn beside those that were measured
};

/// A figure for each group that has two places or more, in their order. Of many candidates those are drawn
/// that are chosen anywhere, the standard, then the fastest on the whole; the figure's note says how many are
/// left to the table. `unit` of x: "bytes", or "1" for a count.
[[nodiscard]] std::vector<nlohmann::ordered_json> tune_figures(const std::vector<Candidate>& candidates,
                                                               const std::string& x, const std::string& unit);

} // namespace rccebench
