// SPDX-License-Identifier: Apache-2.0
// bcast/schedule
//
// Idea: what each core puts, gets and tells in a round is data, in a file or in the library; this row carries
// it out. A search over such schedules (`rccebench search`) finds what nobody has drawn.
//
// n = 5, the plain schedule, a tree of puts, one round; virtual ranks:
//
//     space       1 -> 0   2 -> 0   3 -> 1   4 -> 0       (what was there before has been read)
//     put, told   0 -> 1   0 -> 2   1 -> 3   0 -> 4
//     get         each from its own MPB
//
// Cost: what the schedule says; nothing for reading it in the timed part.
//
// Restrictions: a schedule is for one number of ranks. For another root than the file's the two change
// places. Ranks are taken for core numbers: another mapping is slower, not wrong. A message in every round
// has as many segments as the schedule says; short ones have empty segments, of which flags are told all the
// same.
//
// Buffers and flags: the payload area of the MPBs that the schedule names, or an area of its own for good,
// cut into its parts and slots; its flags of rounds once for each part, its single flags once. A flag is
// turned over with each use, so nobody has to clear it. Where some look at lines: two for each part, one to
// be woken by, and one for 32 readers. Before another schedule, and before another root, all clear their
// flags and meet.
//
// Source: this project; algorithms/SCHEDULES.md.
#include "on_messages/by_schedule.hpp"
#include "schedules.inc"

namespace algorithms {
namespace {

constexpr KeptSchedule kept[] = {ROCKCREEK_KEPT_TEXTS{nullptr, nullptr}};
BySchedule kept_or_file() {
  return {schedule::Operation::bcast, kept};
}
using Row = RowBySchedule<kept_or_file>;

} // namespace

ROCKCREEK_ALGORITHM(
    bcast_schedule, .name = "bcast/schedule", .operation = ROCKCREEK_BCAST,
    .summary = "carries out a schedule from a file or the library: who puts, gets and tells what, by rounds",
    .cost = "what the schedule says; kept ones were found by rccebench search", .source = "this project",
    .parameters =
        {{.name = "schedule",
          .words = "plain" ROCKCREEK_KEPT_SCHEDULES_bcast,
          .or_file = 1,
          .help = "one that the library keeps, or a file; plain: a tree of puts for any number of ranks"}},
    // Some that the library keeps have lines; plain does without.
    .needs = ROCKCREEK_NEEDS_TAGS | ROCKCREEK_OWN_COPIES | ROCKCREEK_EXACT_RANKS, .prepare = Row::prepare,
    .run = Row::run);

} // namespace algorithms
