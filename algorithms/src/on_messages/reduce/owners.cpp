// SPDX-License-Identifier: Apache-2.0
// reduce/owners
//
// Idea: as allreduce/owners, but the result goes to the root alone. The root owns no piece: while the others
// combine those of a round, it gets the results of the round before, for which every MPB has two places.
//
// n = 3, root 0, two rounds; pieces a, b and c, d of ranks 1, 2:
//
//     meet
//     put      0 -> 1:a 2:b    1 -> 2:b    2 -> 1:a
//     meet
//     combine                  1: a        2: b
//     meet
//     put      0 -> 1:c 2:d    1 -> 2:d    2 -> 1:c
//     meet
//     combine                  1: c        2: d
//     get      0 <- 1:a 2:b
//     meet
//     get      0 <- 1:c 2:d
//     meet
//
// Cost: per round n-1 puts of a piece, n-1 gets from the own MPB with their combinings, and two meetings of
// ceil(log_2 n) flags; two more meetings at the begin and the end, and the root's gets of the last round.
//
// Hops: none for puts; the root's gets go to all distances.
//
// Restrictions: none; any n, any root; groups as in allreduce/owners. Operands are combined strictly in the
// order of the ranks.
//
// Buffers and flags: as allreduce/owners, with a slot more.
//
// Source: this project; reduce-scatter with an owner for each block, then gather: Rabenseifner, Optimization
// of Collective Reduction Operations (ICCS 2004).
#include "on_messages/owners.hpp"

namespace algorithms {
namespace {

Meetings meetings; // one per UE, as every variable of a program

int prepare(const rockcreek_call* /*call*/) {
  return meetings.allocate();
}

int run(const rockcreek_call* call) {
  return reduce_by_owners(meetings, *call, call->root);
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_owners, .name = "reduce/owners", .operation = ROCKCREEK_REDUCE,
    .summary =
        "everybody puts its parts into the owners' MPBs, and the root gets the combined pieces; no messages",
    .cost = "per round n-1 puts and n-1 combinings of a piece and two dissemination barriers; the root's "
            "gets beside them",
    .source = "this project; as Rabenseifner: Optimization of Collective Reduction Operations (2004)",
    .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .prepare = prepare, .run = run);

} // namespace algorithms
