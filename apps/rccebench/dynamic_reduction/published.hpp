// SPDX-License-Identifier: Apache-2.0
// Published cycles of reductions of one element, and the simulated ones of the same points.
#pragma once

#include <string>
#include <vector>

#include "dynamic_reduction/measure.hpp"

namespace rccebench::dynamic_reduction {

/// The machines whose tables are printed: presets.
inline constexpr const char* xeon = "xeon-e5645";
inline constexpr const char* amd = "opteron-8425";

/// A printed row. `machine` as it is printed; `spread`: "none" or "B".
struct Printed {
  std::string id, algorithm, machine, spread;
  int threads;
  double cycles;
};

/// All, in their order.
[[nodiscard]] std::vector<Printed> read_printed();

/// Simulated cycles of a printed row; threads of several nodes are scattered, as the publication presumes.
[[nodiscard]] double simulated(const Results& results, const Printed& row);

} // namespace rccebench::dynamic_reduction
