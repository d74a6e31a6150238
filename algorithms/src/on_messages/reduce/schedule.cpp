// SPDX-License-Identifier: Apache-2.0
// reduce/schedule
//
// Idea: as bcast/schedule, with a step that combines: what each core puts, gets, adds and tells in a round is
// data.
//
// n = 5, the plain schedule, one round; virtual ranks:
//
//     put         each the sum of what it has, into its own MPB
//     told, get   3 -> 1   4 -> 0   2 -> 0   1 -> 0      (added by the parent, which then tells that it has
//     read)
//
// Cost: what the schedule says; nothing for reading it in the timed part.
//
// Restrictions: as of bcast/schedule. Operands are combined in the order of the schedule; where a rank is the
// root that is not the file's root, the two change places in it.
//
// Buffers and flags: as of bcast/schedule, and some pages of memory for partial sums.
//
// Source: this project; algorithms/SCHEDULES.md.
#include "on_messages/by_schedule.hpp"
#include "schedules.inc"

namespace algorithms {
namespace {

constexpr KeptSchedule kept[] = {ROCKCREEK_KEPT_TEXTS{nullptr, nullptr}};
BySchedule kept_or_file() {
  return {schedule::Operation::reduce, kept};
}
using Row = RowBySchedule<kept_or_file>;

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_schedule, .name = "reduce/schedule", .operation = ROCKCREEK_REDUCE,
    .summary =
        "carries out a schedule from a file or the library: who puts, gets, adds and tells what, by rounds",
    .cost = "what the schedule says; rccebench search finds some", .source = "this project",
    .parameters =
        {{.name = "schedule",
          .words = "plain" ROCKCREEK_KEPT_SCHEDULES_reduce,
          .or_file = 1,
          .help = "one that the library keeps, or a file; plain: a tree of sums for any number of ranks"}},
    .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_EXACT_RANKS | ROCKCREEK_FIXED_ORDER, .prepare = Row::prepare,
    .run = Row::run);

} // namespace algorithms
