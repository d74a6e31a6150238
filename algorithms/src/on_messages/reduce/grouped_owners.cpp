// SPDX-License-Identifier: Apache-2.0
// reduce/grouped_owners
//
// Idea: as reduce/owners, in phases. First all put their parts to the mates in a group, whose members own a
// share of the vector each; these add them. Then the members of all groups that own the same share do so with
// their sums, of which each gets a part again. So a rank puts to the members of two groups, not to all ranks.
// Where there are more ranks than owners, some own a segment together, and the first of them adds what the
// others have at last. Ranks that are left over put their parts to a group, and own nothing.
//
// n = 4, owners in two groups of two; segments a, b, c, d of ranks 0, 1, 2, 3; one round:
//
//     meet
//     put, add   0 -> 2:cd   1 -> 3:cd   2 -> 0:ab   3 -> 1:ab
//     put, add   0 -> 1:b    1 -> 0:a    2 -> 3:d    3 -> 2:c
//     put        1 -> 0:b    2 -> 0:c    3 -> 0:d
//     meet
//     get        0: b c d
//
// Cost: per round about 2 (f1 + f2 + t) puts and gets for groups of f1 and f2 and t ranks that own a segment
// together; the lines of the vector are put, got and combined once; some dissemination barriers of
// parts of the ranks.
//
// Hops: none for puts; gets are from the own MPB.
//
// Restrictions: none; any n, any root. Operands are combined in an order that n, root and the number of
// owners decide.
//
// Buffers and flags: the payload area of every MPB, in slots of whole lines; about four log_2 n flags; some
// pages of memory. Before another number of owners, and before another root, all clear their flags and meet.
//
// Source: this project; splitting by factors: Rabenseifner, Optimization of Collective Reduction Operations
// (ICCS 2004), with groups of more than two.
#include <algorithm>
#include <cstddef>

#include <RCCE.h>

#include "algorithms/schedules/owners.hpp"
#include "on_messages/by_schedule.hpp"

namespace algorithms {
namespace {

/// The plan that a call asks for, kept until another one asks for something else.
const schedule::Plan& plan_of(const rockcreek_call& call) {
  constexpr int for_flags = 16; // lines: the algorithm takes about 40 flags, and others some
  static schedule::Plan plan;   // one per UE, as every variable of a program
  static int owners = -1, lines = -1;
  const auto asked = static_cast<int>(rockcreek_value(&call, "owners"));
  const auto left = static_cast<int>(static_cast<std::size_t>(RCCE_chunk) / RCCE_LINE_SIZE);
  if (asked != owners || left != lines)
    plan = schedule::owners_plan(RCCE_num_ues(), schedule::Operation::reduce, asked,
                                 std::max(left - for_flags, 1));
  owners = asked, lines = left;
  return plan;
}

BySchedule by_plan() {
  return {schedule::Operation::reduce, plan_of};
}
using Row = RowBySchedule<by_plan>;

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_grouped_owners, .name = "reduce/grouped_owners", .operation = ROCKCREEK_REDUCE,
    .summary =
        "as reduce/owners, in phases: first in groups, then between those that own the same share; for "
        "many ranks",
    .cost =
        "per round 2 (f1 + f2 + t) puts and gets for groups of f1 and f2, and barriers of parts of the ranks",
    .source = "this project; as Rabenseifner: Optimization of Collective Reduction Operations (2004)",
    .parameters = {{.name = "owners",
                    .least = 1,
                    .most = 128,
                    .tried = "8-128:x2",
                    .help =
                        "ranks that own a segment of each round alone; the others share segments with them; "
                        "chosen for the number of ranks if it is 0"}},
    .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .prepare = Row::prepare, .run = Row::run);

} // namespace algorithms
