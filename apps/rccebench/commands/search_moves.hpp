// SPDX-License-Identifier: Apache-2.0
// Where a search of schedules begins, and how it goes from one plan to the next.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/schedules/builder.hpp"
#include "algorithms/schedules/plan.hpp"
#include "lab/random.hpp"

namespace rccebench {

/// The points that plans are for.
struct SearchSpace {
  int cores = 1;
  algorithms::TileMesh mesh;
  int rows = 1; ///< rows of tiles
  std::int64_t bytes = 0;
  algorithms::schedule::Operation operation = algorithms::schedule::Operation::bcast;
};

/// Shapes that are known by hand. Broadcasts: trees of puts, and clusters from one tile to the whole mesh
/// with one to eight hosts. Reductions: trees of sums, and owners in one phase, two or three.
[[nodiscard]] std::vector<algorithms::schedule::Plan> starts_of(const SearchSpace& space);

/// True if a file can hold the schedule, and MPBs have room for its slots of at least a line each.
[[nodiscard]] bool fits(const algorithms::schedule::Schedule& schedule);

/// The plan with one thing or a few changed; it stays right.
[[nodiscard]] algorithms::schedule::Plan neighbour_of(const algorithms::schedule::Plan& plan,
                                                      const SearchSpace& space, lab::Random& random);

} // namespace rccebench
