// SPDX-License-Identifier: Apache-2.0
// What reduce/grouped_owners and allreduce/grouped_owners share.
#pragma once

#include <algorithm>
#include <cstddef>

#include <RCCE.h>

#include "on_messages/by_schedule.hpp"

namespace algorithms {

/// More owners than there are ranks, or than an MPB has room for, are as many as can be.
template <schedule::Operation operation>
schedule::Plan grouped_owners_plan(const rockcreek_call& call) {
  constexpr std::size_t for_flags = 16; // lines: the algorithm takes about 40 flags, and others some
  const std::size_t lines = static_cast<std::size_t>(RCCE_chunk) / RCCE_LINE_SIZE;
  return schedule::owners_plan(RCCE_num_ues(), operation, static_cast<int>(rockcreek_value(&call, "owners")),
                               static_cast<int>(lines - std::min(lines, for_flags)));
}

template <schedule::Operation operation>
BySchedule grouped_owners() {
  return {operation, grouped_owners_plan<operation>};
}

inline constexpr rockcreek_parameter owners_of_groups{
    .name = "owners",
    .least = 1,
    .most = 128,
    .tried = "8-128:x2",
    .help = "ranks that own a segment of each round alone; the others share segments with them; "
            "chosen for the number of ranks if it is 0"};

} // namespace algorithms
