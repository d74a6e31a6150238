// SPDX-License-Identifier: Apache-2.0
// allreduce/grouped_owners
//
// Idea: as reduce/grouped_owners; the owners put their results into the MPB of the first of their last group,
// and all get them from there.
//
// n = 4, owners in two groups of two; segments a, b, c, d of ranks 0, 1, 2, 3; one round:
//
//     meet
//     put, add   0 -> 2:cd   1 -> 3:cd   2 -> 0:ab   3 -> 1:ab
//     put, add   0 -> 1:b    1 -> 0:a    2 -> 3:d    3 -> 2:c
//     put        0 -> 0:a    1 -> 0:b    2 -> 2:c    3 -> 2:d
//     meet
//     get        all from 0: a b, from 2: c d
//
// Cost: per round about 2 (f1 + f2 + t) puts and gets for groups of f1 and f2 and t ranks that own a segment
// together; the lines of the vector are put, got and combined once, and got once more; some dissemination
// barriers of parts of the ranks.
//
// Hops: none for puts; gets of results, from the first of each group.
//
// Restrictions: none; any n, any root. Operands are combined in an order that n, root and the number of
// owners decide.
//
// Buffers and flags: the payload area of every MPB, in slots of whole lines; about three log_2 n flags; some
// pages of memory. Before another number of owners, and before another root, all clear their flags and meet.
//
// Source: this project; splitting by factors: Rabenseifner, Optimization of Collective Reduction Operations
// (ICCS 2004), with groups of more than two.
#include "on_messages/grouped_owners.hpp"

namespace algorithms {
namespace {
using Row = RowBySchedule<grouped_owners<schedule::Operation::allreduce>>;
} // namespace

ROCKCREEK_ALGORITHM(
    allreduce_grouped_owners, .name = "allreduce/grouped_owners", .operation = ROCKCREEK_ALLREDUCE,
    .summary =
        "as allreduce/owners, in phases: first in groups, then between those that own the same share; for "
        "many ranks",
    .cost =
        "per round 2 (f1 + f2 + t) puts and gets for groups of f1 and f2, and barriers of parts of the ranks",
    .source = "this project; as Rabenseifner: Optimization of Collective Reduction Operations (2004)",
    .parameters = {owners_of_groups}, .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER,
    .prepare = Row::prepare, .run = Row::run);

} // namespace algorithms
