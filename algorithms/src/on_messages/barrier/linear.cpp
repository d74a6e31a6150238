// SPDX-License-Identifier: Apache-2.0
// barrier/linear: RCCE's own. Rank 0 waits for each other rank's flag in turn, then sets all their release
// flags: two sweeps over n-1 ranks, for n = 5
//
//     1,2,3,4 set their gather flags; 0 reads 1, 2, 3, 4; 0 writes release of 1, 2, 3, 4
//
// Cost: (n-1) remote flag reads and (n-1) remote flag writes, one after the other, all by rank 0.
//
// Restrictions: none.
//
// Buffers and flags: the two of RCCE_COMM_WORLD.
//
// Source: Intel, RCCE: a Small Library for Many-Core Communication (2010), RCCE_barrier.
#include <RCCE.h>

#include "algorithms/algorithm.h"

namespace algorithms {
namespace {

int run(const rockcreek_call* /*call*/) {
  return RCCE_barrier(&RCCE_COMM_WORLD);
}

} // namespace

ROCKCREEK_ALGORITHM(barrier_linear, .name = "barrier/linear", .operation = ROCKCREEK_BARRIER,
                    .summary = "RCCE_barrier: rank 0 gathers and releases one by one",
                    .cost = "n-1 remote flag reads and n-1 remote flag writes, one after the other at rank 0",
                    .source = "Intel, RCCE 2.0 (2010), RCCE_barrier", .run = run);

} // namespace algorithms
