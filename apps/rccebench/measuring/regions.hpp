// SPDX-License-Identifier: Apache-2.0
// Workloads in fork-join regions on a simulated machine, empty, of an array and of a likelihood: what a run
// of the published length takes (publications/fork-join).
#pragma once

#include <string>
#include <vector>

#include "measuring/optimise.hpp"
#include "measuring/team.hpp"

namespace rccebench::measuring {

/// A data set of the publication; of its alignments only the sizes are printed.
struct DataSet {
  const char* workload;
  int organisms, patterns;
  std::int64_t barriers, with_sums; ///< numbers of five optimisations

  [[nodiscard]] int branches() const { return 2 * organisms - 3; }
  /// The counts of five optimisations of 32 passes each: those that their structure gives, and the rest of
  /// the published numbers, repeats of a Newton step.
  [[nodiscard]] likelihood::Counts counts() const;
};
inline constexpr int optimisations = 5;
inline constexpr DataSet data_sets[] = {{"raxml-404", 404, 7429, 193'865, 129'535},
                                        {"raxml-1481", 1481, 1241, 738'835, 502'185}};

/// A run of a workload on a machine.
struct RegionRun {
  std::string machine;     ///< a preset
  std::vector<int> places; ///< hardware threads
  std::string workload;    ///< sync-only, array, raxml-404, raxml-1481
  Variant variant;
  /// Other than the machine's, to find out what a statement fails for, never a result: no load of another
  /// core's line takes less.
  double least_load_ns = 0;
};

struct RegionTimes {
  double seconds = 0;   ///< time of the published number of regions
  double region_us = 0; ///< mean of all regions
  Sums sums{};          ///< sums of the last region with sums, for a comparison of bits
};

/// Deterministic. Throws mesh::UserError for a machine that there is not.
[[nodiscard]] RegionTimes measure(const RegionRun& run);

/// The regions of a real optimisation of a generated alignment of a few patterns, on one thread of the host.
[[nodiscard]] likelihood::Counts count_regions(const DataSet& data);

/// The variants of tables I and II, in their order; then those that add sums in other ways.
[[nodiscard]] const std::vector<Variant>& variants();
/// With flags set back by who has waited for them.
[[nodiscard]] Variant with_reset(Variant variant);

} // namespace rccebench::measuring
