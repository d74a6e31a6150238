// SPDX-License-Identifier: Apache-2.0
// One algorithm in shared memory on a simulated machine with coherent caches, as commands ask for it:
// measured, its result checked.
#pragma once

#include <memory>
#include <string>

#include "algorithms/in_memory/trial.hpp"
#include "arrival.hpp"

namespace rccebench {

struct MemoryPoint {
  std::shared_ptr<const mesh::coherent::Config> machine = {};
  algorithms::in_memory::Trial trial = {}; ///< `elements` and `delays` are filled in from what follows
  std::int64_t bytes = 0;                  ///< of a broadcast or reduction
  std::string type = "double", op = "sum";
  Spread spread = {};
};

struct MemoryTiming {
  double max_us = 0; ///< until the last thread has left: from the common release, or from the last arrival
  std::uint64_t line_events = 0;
  bool right = true; ///< every element of the result, of a broadcast on every thread
};

/// The fastest repetition; where arrivals are spread, the average.
[[nodiscard]] MemoryTiming measure(const MemoryPoint& point);

/// The trees that are best by the machine's parameters, and for reduce/linear the barrier that is fastest
/// everywhere.
void set_shapes(MemoryPoint& point);

/// A guess of how long the simulation takes, against others.
[[nodiscard]] double weight(const MemoryPoint& point);

} // namespace rccebench
