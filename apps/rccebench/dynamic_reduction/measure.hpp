// SPDX-License-Identifier: Apache-2.0
// The sweeps of the dynamic-reduction publication on simulated machines: arrivals, overheads, sizes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "algorithms/in_memory/trial.hpp"

namespace rccebench::dynamic_reduction {

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

inline constexpr std::size_t none = 0, spread_a = 1, spread_b = 2, spread_c = 3; ///< places there

inline constexpr const char* linear = "reduce/linear";
inline constexpr const char* fixed_pairs = "reduce/pair_tree"; ///< "static" in the publication
inline constexpr const char* dynamic = "reduce/dynamic_pair";
inline constexpr const char* group = "reduce/dynamic_group";
inline constexpr const char* algorithms_in_order[] = {linear, fixed_pairs, dynamic, group};

/// A machine of the size sweeps.
struct Machine {
  const char* name; ///< preset
  const char* printed;
  int threads;
  bool intel, several_nodes;
};
inline constexpr Machine machines[] = {{"xeon-x5650", "X5650", 6, true, false},
                                       {"phenom-1090t", "1090T", 6, false, false},
                                       {"xeon-e5645", "2 x E5645", 12, true, true},
                                       {"opteron-2x12", "2 x 12-core Opteron", 24, false, true},
                                       {"xeon-e7-4830", "4 x E7-4830", 32, true, true}};
/// Floats on each thread. Published sweeps go from the first to the last.
inline constexpr std::int64_t sizes[] = {1'000,  2'000,  3'500,  5'000,  7'000,   10'000,
                                         15'000, 24'000, 40'000, 64'000, 100'000, 200'000};

/// Delays in picoseconds by repetition and thread, the same for all algorithms.
[[nodiscard]] std::vector<std::vector<mesh::Picoseconds>>
arrivals(const mesh::coherent::Config& config, const Spread& spread, int threads, int repetitions);

struct Cycles {
  double behind_last = 0; ///< T_last: from the last arrival to the result
  double all_gone = 0;    ///< from the last arrival until the last thread has left
  double summed = 0;      ///< T_sum: inside the operation, all threads together
};

struct Point {
  std::string machine, algorithm, placement = "compact";
  int threads = 2;
  std::int64_t elements = 1;
  std::size_t spread = 0;
};

/// Means over arrivals from one seed, the same for all algorithms, in cycles of the core clock.
[[nodiscard]] Cycles measure(const Point& point);
/// With these arrivals, in cycles.
[[nodiscard]] Cycles measure(const Point& point, const std::vector<double>& arrivals);

/// What a visit to the word where partners meet costs.
struct Visits {
  double mean_cycles = 0, most_cycles = 0, retries_a_run = 0;
};
[[nodiscard]] Visits measure_visits(const Point& point);

class Results {
 public:
  /// `jobs` points side by side. False after Ctrl-C.
  bool run(unsigned jobs);

  [[nodiscard]] const Cycles& sweep(const Machine& machine, const std::string& algorithm,
                                    std::int64_t elements, std::size_t spread) const;
  /// One element: cycles from the last arrival until the last thread has left.
  [[nodiscard]] double overhead(const std::string& machine, const std::string& algorithm, int threads,
                                std::size_t spread, const std::string& placement = "compact") const;

 private:
  std::map<std::string, Cycles> cycles_;
};

} // namespace rccebench::dynamic_reduction
