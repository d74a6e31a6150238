// SPDX-License-Identifier: Apache-2.0
// What reduce/grouped_owners and allreduce/grouped_owners share.
#pragma once

#include <algorithm>
#include <cstddef>

#include <RCCE.h>

#include "algorithms/shapes/grouped_owners.hpp"
#include "on_messages/by_schedule.hpp"

namespace algorithms {

/// The plan that a call asks for, kept until another one asks for something else.
template <schedule::Operation operation>
const schedule::Plan& grouped_owners_plan(const rockcreek_call& call) {
  constexpr int for_flags = 16; // lines: the algorithm takes about 40 flags, and others some
  static schedule::Plan plan;   // one per UE, as every variable of a program
  static int owners = -1, lines = -1;
  const auto asked = static_cast<int>(rockcreek_value(&call, "owners"));
  const auto left = static_cast<int>(static_cast<std::size_t>(RCCE_chunk) / RCCE_LINE_SIZE);
  if (asked != owners || left != lines)
    plan = schedule::owners_plan(RCCE_num_ues(), operation, asked, std::max(left - for_flags, 1));
  owners = asked, lines = left;
  return plan;
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
