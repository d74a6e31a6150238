// SPDX-License-Identifier: Apache-2.0
// allreduce/owners
//
// Idea: no messages. Each rank owns a segment of the vector. Everybody puts its part of each segment straight
// into the MPB of the segment's owner, which costs the same to any distance. The owner gets the parts from
// its own MPB, combines them, and leaves the result in an MPB, from where everybody gets it. A vector that
// does not fit goes in rounds.
//
// n = 3, one round; segments a, b, c of ranks 0, 1, 2:
//
//     meet
//     put      0 -> 1:b 2:c    1 -> 0:a 2:c    2 -> 0:a 1:b
//     meet
//     combine  0: a            1: b            2: c
//     meet
//     get      0 <- 1:b 2:c    1 <- 0:a 2:c    2 <- 0:a 1:b
//     meet
//
// With more ranks, the results of several owners stand side by side in the MPB of one of them, so that one
// get takes them all.
//
// Cost: per round n-1 puts of a segment, n-1 combinings of one from the own MPB, gets of all results from six
// MPBs or more, and two meetings of ceil(log_2 n) flags; two more meetings at the begin and the end. Each
// rank puts and combines (n-1)/n of the vector once, and gets all of it.
//
// Hops: none for puts; gets go to all distances.
//
// Restrictions: none; any n. Where an MPB has no line for each rank, these put in groups, one after the
// other, with two meetings each. Operands are combined strictly in the order of the ranks.
//
// Buffers and flags: the payload area of every MPB, as slots of whole lines, n-1 and those for results; flags
// of the barrier inside of algorithms; a page or two of memory.
//
// Source: this project; reduce-scatter with an owner for each block, then allgather: Rabenseifner,
// Optimization of Collective Reduction Operations (ICCS 2004).
#include "on_messages/owners.hpp"

namespace algorithms {
namespace {

int prepare(const rockcreek_call* /*call*/) {
  return direct_meetings().allocate();
}

int run(const rockcreek_call* call) {
  return reduce_by_owners(*call, -1, true);
}

} // namespace

ROCKCREEK_ALGORITHM(
    allreduce_owners, .name = "allreduce/owners", .operation = ROCKCREEK_ALLREDUCE,
    .summary =
        "everybody puts its parts into the owners' MPBs, and gets the combined segments from there; no "
        "messages",
    .cost = "per round n-1 puts and n-1 combinings of a segment, gets of all segments and two dissemination "
            "barriers",
    .source = "this project; as Rabenseifner: Optimization of Collective Reduction Operations (2004)",
    .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .prepare = prepare, .run = run);

} // namespace algorithms
