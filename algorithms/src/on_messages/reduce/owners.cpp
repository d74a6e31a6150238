// SPDX-License-Identifier: Apache-2.0
// reduce/owners
//
// Idea: as allreduce/owners, but the result goes to the root alone, which owns no segment. The owners put
// what they have combined into the root's MPB. The root gets the results of a round from there at once,
// straight into the vector, while the others combine the next round. The root of a long vector puts nothing
// either: it combines its operand with the results, half of them while the others put, half while they
// combine.
//
// n = 3, root 0, two rounds; segments a, b and c, d of ranks 1, 2; a long vector:
//
//     meet
//     put                       1 -> 2:b    2 -> 1:a
//     meet
//     combine                   1: a        2: b
//     put                       1 -> 0:a    2 -> 0:b
//     meet
//     put      (0: half a, b)   1 -> 2:d    2 -> 1:c
//     meet
//     combine  (0: half a, b)   1: c        2: d
//     meet
//     put                       1 -> 0:c    2 -> 0:d
//     meet
//     combine  0: c, d
//
// Cost: per round n-2 puts of a segment, n-2 combinings of one from the own MPB, and three meetings of
// ceil(log_2 n) flags; beside them the root's get of n-1 segments and its combining. A meeting before.
//
// Hops: none; all gets are from the own MPB.
//
// Restrictions: none; any n, any root; groups as in allreduce/owners. Operands are combined in the order of
// the ranks, but the root's behind all others if the vector has more than eight payload areas, about 64 KB.
// With operands=by_rank, the order is that of the ranks at all lengths: on 48 cores, 190,000 bytes take 13 %
// more.
//
// Buffers and flags: the payload area of every MPB, as slots of whole lines; flags of the barrier inside of
// algorithms; a page or two of memory.
//
// Source: this project; reduce-scatter with an owner for each block, then gather: Rabenseifner, Optimization
// of Collective Reduction Operations (ICCS 2004).
#include "on_messages/owners.hpp"

namespace algorithms {
namespace {

int prepare(const rockcreek_call* /*call*/) {
  return direct_meetings().allocate();
}

int run(const rockcreek_call* call) {
  return reduce_by_owners(*call, call->root, rockcreek_value(call, "operands") != 0);
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_owners, .name = "reduce/owners", .operation = ROCKCREEK_REDUCE,
    .summary = "everybody puts its parts into the owners' MPBs, and these the combined segments into the "
               "root's; no messages",
    .cost = "per round n-2 puts and n-2 combinings of a segment and three dissemination barriers; the root's "
            "combining beside them",
    .source = "this project; as Rabenseifner: Optimization of Collective Reduction Operations (2004)",
    .parameters =
        {{.name = "operands",
          .words = "any by_rank",
          .help = "order in which they are combined: that of the ranks, or of long vectors the root's last"}},
    .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .prepare = prepare, .run = run);

} // namespace algorithms
