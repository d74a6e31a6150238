// SPDX-License-Identifier: Apache-2.0
// The orders in which a recorded run's accesses could have acted instead.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh_sim/kernel/hold.hpp"
#include "watch/explore/accesses.hpp"
#include "watch/explore/record.hpp"

namespace rcce::explore {

/// Kind and place of an access, by which it is found again in another run.
struct Spot {
  AccessedLine place = 0;
  TracedAccess::Kind kind = TracedAccess::Kind::load;
  bool operator==(const Spot&) const = default;
};

/// Two accesses that race, and the order that turns them round: `hold` keeps back the one that came first.
struct Reversal {
  mesh::Hold hold;
  Spot first;  ///< the access that is kept back
  Spot second; ///< the access that it waits for
};

struct Races {
  std::vector<Reversal> reversals;
  bool torn = false; ///< two copies of several lines race: they could also act line by line in turn
};

/// The races of the run. Two accesses race where they conflict, neither is the cause of the other, and
/// nothing in between orders them. What a wait has seen is no cause of it as long as it could have seen
/// something else.
[[nodiscard]] Races races_of(const RunRecord& record);

/// True if one of the orders has not come about although the access that it waits for was made: because that
/// was another access, or came later. Numbers of accesses move if a UE has polled more or less often.
[[nodiscard]] bool misses_one(const RunRecord& record, std::span<const Reversal> wanted);

/// The same for runs in which all conflicting accesses acted in the same order.
[[nodiscard]] std::uint64_t order_hash(const RunRecord& record);

} // namespace rcce::explore
