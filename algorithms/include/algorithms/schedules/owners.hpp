// SPDX-License-Identifier: Apache-2.0
// The plan of reduce/grouped_owners: how many owners there are, and where parts stand in their buffers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "algorithms/schedules/plan.hpp"
#include "algorithms/shapes/grouped_owners.hpp"

namespace algorithms::schedule {

/// Places of what arrives in a part of an owner's buffer, in slots.
struct OwnersSlots {
  /// The first slot of results: of all at the root, or of the groups of the last phase at the first of each,
  /// so that not all read from one buffer. They replace parts of the first phase, unless that is the last
  /// one.
  int results = 0;
  /// First slot of each phase's parts, and of those of others that own the segment too.
  std::vector<int> phases;
  int all = 1;

  explicit OwnersSlots(const Plan& plan) {
    const auto& [sizes, shared] = *plan.as<Owners>();
    int owners = 1;
    for (const int size : sizes) owners *= size;
    int share = owners / sizes.front();
    const int groups = share * shared, left_over = plan.cores - owners * shared;
    const int first = (sizes.front() - 1 + (left_over + groups - 1) / groups) * share;
    results = sizes.size() == 1 ? first : 0;
    phases = {0, std::max(first, results + (plan.operation == Operation::reduce ? owners : sizes.back()))};
    for (std::size_t phase = 1; phase < sizes.size(); ++phase) {
      share /= sizes[phase];
      phases.push_back(phases.back() + (sizes[phase] - 1) * share);
    }
    all = std::max(phases.back() + shared - 1, 1);
  }
};

/// Owners in groups on any number of cores, 2 at least. `owners`: how many own a segment of their own, or the
/// nearest number that is possible; 0: chosen. The others share segments with them, as many with each; those
/// left over own nothing. `lines`: of an MPB that are left for slots.
[[nodiscard]] inline Plan owners_plan(int cores, Operation operation, int owners, int lines) {
  constexpr int most_owners = 128, enough_owners = 32;
  // Who is left over makes a group of the first phase combine an operand more, whole rounds of it.
  constexpr int cost_of_left_over = 10, cost_of_few = 1000;
  Plan plan;
  plan.operation = operation;
  plan.cores = cores;
  plan.parts = 1;
  plan.first_bytes = plan.most_bytes = 1 << 20; // as much as an MPB has room for
  Plan best = plan;
  bool best_fits = false;
  for (int some = 1, least_cost = 0; some <= std::min(cores, most_owners); ++some) {
    const Groups groups = groups_for(some);
    const int shared = cores / some;
    plan.family = Owners{groups.sizes, shared};
    const int groups_of_first = some * shared / groups.sizes.front(), left_over = cores - some * shared;
    const int cost = owners > 0
        ? std::abs(some - owners)
        : groups.cost + shared - 1 + (left_over + groups_of_first - 1) / groups_of_first * cost_of_left_over +
            (some < std::min(cores, 2 * enough_owners) / 2 ? cost_of_few : 0);
    const bool fits = OwnersSlots(plan).all <= lines;
    if (some == 1 || (fits && (!best_fits || cost <= least_cost)))
      best = plan, least_cost = cost, best_fits = fits;
  }
  return best;
}

} // namespace algorithms::schedule
