// SPDX-License-Identifier: Apache-2.0
// The orders in which a recorded run's accesses could have acted instead.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/record.hpp"
#include "mesh_sim/parts/access.hpp"

namespace rcce::explore {

/// For each race in the run the order that turns it round. Two accesses race where they conflict, neither is
/// the cause of the other, and nothing in between orders them.
[[nodiscard]] std::vector<mesh::Hold> reversals(const RunRecord& record);

/// The same for runs in which all conflicting accesses acted in the same order.
[[nodiscard]] std::uint64_t order_hash(const RunRecord& record);

} // namespace rcce::explore
