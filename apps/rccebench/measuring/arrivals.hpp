// SPDX-License-Identifier: Apache-2.0
// Reductions in shared memory whose threads arrive one by one, by the spreads of arrivals of the
// dynamic-reduction publication: how long after the last arrival, and what a visit to a meeting word costs.
#pragma once

#include <string>
#include <vector>

#include "algorithms/in_memory/trial.hpp"

namespace rccebench::measuring {

/// How much later than the first possible instant threads arrive: max * Beta(a, b), which meets the maximum,
/// mean and standard deviation that are published. The distribution itself is not.
struct Spread {
  const char* name;
  double most_cycles, a, b;
};
inline constexpr Spread spreads[] = {{"none", 200, 1, 1},
                                     {"A", 15'000, 1.430, 1.252},
                                     {"B", 128'000, 2.555, 6.283},
                                     {"C", 555'000, 1.844, 3.718}};

/// Throws mesh::UserError for one that there is not.
[[nodiscard]] const Spread& spread_of(const std::string& name);

/// Delays in picoseconds by repetition and thread, the same for all algorithms.
[[nodiscard]] std::vector<std::vector<mesh::Picoseconds>>
arrivals(const mesh::coherent::Config& config, const Spread& spread, int threads, int repetitions);

struct Cycles {
  double behind_last = 0; ///< T_last: from the last arrival to the result
  double all_gone = 0;    ///< from the last arrival until the last thread has left
  double summed = 0;      ///< T_sum: inside the operation, all threads together
};

struct ReductionRun {
  std::string machine, algorithm, placement = "compact";
  int threads = 2;
  std::int64_t elements = 1;
  std::string spread = "none";
};

/// Means over arrivals from one seed, the same for all algorithms, in cycles of the core clock.
[[nodiscard]] Cycles measure(const ReductionRun& run);
/// With these arrivals, in cycles.
[[nodiscard]] Cycles measure(const ReductionRun& run, const std::vector<double>& arrivals);

/// The costs of a visit to the word where partners meet.
struct Visits {
  double mean_cycles = 0, most_cycles = 0, retries_a_run = 0;
};
[[nodiscard]] Visits measure_visits(const ReductionRun& run);

} // namespace rccebench::measuring
