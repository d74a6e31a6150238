// SPDX-License-Identifier: Apache-2.0
// A recorded run's accesses in the order in which they acted, cut at the lines of the message-passing buffers
// (MPBs), and which of them conflict.
#pragma once

#include <cstdint>
#include <vector>

#include "watch/explore/record.hpp"

namespace rcce::explore {

/// A line of an MPB, a test-and-set register or a counter.
using AccessedLine = std::uint64_t;

/// An access, or the part of it that falls into one place.
struct Event {
  const TracedAccess* access = nullptr; ///< in the record
  AccessedLine place = 0;
  std::uint32_t begin = 0, end = 0; ///< bytes of the MPB
};

[[nodiscard]] std::vector<Event> events_of(const RunRecord& record);

/// Both touch the same bits from different cores, at least one changes them.
[[nodiscard]] bool conflict(const Event& a, const Event& b) noexcept;

[[nodiscard]] constexpr bool on_lock(TracedAccess::Kind kind) noexcept {
  return kind == TracedAccess::Kind::lock_try || kind == TracedAccess::Kind::lock_release;
}

} // namespace rcce::explore
