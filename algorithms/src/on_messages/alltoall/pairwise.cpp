// SPDX-License-Identifier: Apache-2.0
// alltoall/pairwise
//
// Idea: in step s every rank sends to the rank s behind it and receives from the rank s before it, so each
// block goes straight from its source to its target, and no rank has two partners of one kind in a step.
//
// n = 4; block ab goes from a to b:
//
//     step 1    0->1:01   1->2:12   2->3:23   3->0:30
//     step 2    0->2:02   1->3:13   2->0:20   3->1:31
//     step 3    0->3:03   1->0:10   2->1:21   3->2:32
//
// Cost: n-1 steps of two messages of a block, of which every second rank along the circle sends the first.
//
// Hops: those between each two ranks.
//
// Restrictions: none; any n. Empty blocks are not sent.
//
// Buffers and flags: those of RCCE_send.
//
// Source: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005),
// section 4.3, the variant for any n.
#include "on_messages/blocks.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  const int self = blocks.self();
  const std::size_t own = blocks.bytes(self);
  const auto target = [&](int rank) {
    return call->buffer + static_cast<std::size_t>(blocks.wrapped(rank)) * own;
  };
  rcce_copy(target(self), call->source + blocks.offset(self), own);
  for (int step = 1; step < blocks.ranks(); ++step)
    if (const int error =
            shift(blocks, step, {call->source + blocks.offset(self + step), blocks.bytes(self + step)},
                  {target(self - step), own}))
      return error;
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    alltoall_pairwise, .name = "alltoall/pairwise", .operation = ROCKCREEK_ALLTOALL,
    .summary = "in each step everybody sends to one rank and receives from one; for long blocks",
    .cost = "n-1 steps of two messages of a block",
    .source =
        "Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005)",
    .lines = 1, .run = run);

} // namespace algorithms
