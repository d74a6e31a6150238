// SPDX-License-Identifier: Apache-2.0
// `auto`: what was measured to be fastest, out of the stored table.
#pragma once

#include <cstddef>

#include "algorithms/algorithm.h"
#include "algorithms/collectives.h"

namespace algorithms {

/// Of algorithms/tuned; rows of one place (core clock, generation, operation, cores, bytes) follow each
/// other, the fastest first.
struct Tuned {
  double core_mhz;
  int generation; ///< 10 or 20, as ROCKCREEK_RCCE
  rockcreek_operation operation;
  int cores;
  std::size_t bytes; ///< 0 where the operation has none
  const char* algorithm;
  const char* options;
};

/// The first row of the nearest place that the program can use: nearest by the ratio of clocks, then of
/// numbers of cores, then of sizes. Local and the same on every UE. Both members null where there is none.
[[nodiscard]] rockcreek_choice automatic(rockcreek_operation operation, std::size_t bytes);

/// Calls `use` with each choice that automatic() may come to on this number of UEs, once per size; stops at
/// the first error, and returns it.
int for_each_choice(rockcreek_operation operation, int (*use)(const rockcreek_choice&));

} // namespace algorithms
