// SPDX-License-Identifier: Apache-2.0
// bcast/mcast: iRCCE's
//
// Idea: the root puts a chunk into its own buffer and tells everybody; all others fetch it from there, and
// a barrier ends the chunk.
//
// n = 5, for each chunk:   0 puts it and tells 1, 2, 3, 4   1, 2, 3, 4 get it from 0   barrier
//
// Cost: per chunk: one put, n-1 flag writes by the root, gets of all the others at once out
// of one buffer, and RCCE's barrier, or iRCCE's on counters in a program built with -DAIR.
//
// Hops: the distances from the root; its buffer's port is the bottleneck beyond about 24 readers.
//
// Restrictions: none. No iRCCE request of any UE may be pending.
//
// Buffers and flags: payload area of the root's MPB, its flags towards everybody, those of the world
// barrier.
//
// Source: Clauss, Lankes, Reble, Galowicz, Pickartz, Bemmerl: iRCCE user manual 2.0 (2013), iRCCE_mcast.
#include <iRCCE.h>

#include "algorithms/algorithm.h"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  return iRCCE_mcast(call->buffer, call->bytes, call->root);
}

} // namespace

ROCKCREEK_ALGORITHM(
    bcast_mcast, .name = "bcast/mcast", .operation = ROCKCREEK_BCAST,
    .summary = "iRCCE_mcast: everybody fetches out of the root's buffer, a barrier per chunk",
    .cost = "per chunk one put, n-1 flag writes, n-1 gets at once out of one buffer, and a barrier",
    .source = "Clauss et al.: iRCCE user manual 2.0 (2013)", .needs = ROCKCREEK_OWN_COPIES, .lines = 1,
    .run = run);

} // namespace algorithms
