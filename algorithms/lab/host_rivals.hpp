// SPDX-License-Identifier: Apache-2.0
// Barriers and reductions of other libraries on this host, for comparison: each where it was there at build
// time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lab {

/// Runs `rounds` operations; returns nanoseconds of one of them, and whether sums were right.
struct RivalRun {
  double nanoseconds = 0;
  bool right = true;
};

struct Rival {
  std::string name; ///< "barrier/std_barrier", "reduce/openmp"
  /// A barrier by `threads` threads, or regions that add up `count` doubles of each thread.
  RivalRun (*run)(int threads, std::int64_t count, int rounds);
};

[[nodiscard]] std::vector<Rival> standard_rivals();
[[nodiscard]] std::vector<Rival> openmp_rivals(); ///< empty without OpenMP
[[nodiscard]] std::vector<Rival> onetbb_rivals(); ///< empty without oneTBB

/// Nanoseconds of a steady clock.
[[nodiscard]] double steady_nanoseconds();

} // namespace lab
