// SPDX-License-Identifier: Apache-2.0
// allgather/ring
//
// Idea: blocks go round a ring. In each round every rank sends the block that it got last to the next rank.
//
// n = 4; block b belongs to rank b:
//
//     round 0    0->1:0   1->2:1   2->3:2   3->0:3
//     round 1    0->1:3   1->2:0   2->3:1   3->0:2
//     round 2    0->1:2   1->2:3   2->3:0   3->0:1
//
// Cost: n-1 rounds of two messages of a block, of which even ranks send, and odd ranks receive, the first.
//
// Hops: partners have neighbouring ranks.
//
// Restrictions: none; any n. Empty blocks are not sent.
//
// Buffers and flags: those of RCCE_send.
//
// Source: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005),
// section 4.1.
#include "on_messages/blocks.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  const int self = blocks.self();
  rcce_copy(call->buffer + blocks.offset(self), call->source, blocks.bytes(self));
  for (int round = 0; round + 1 < blocks.ranks(); ++round) {
    const int given = self - round, taken = self - round - 1;
    if (const int error = shift(blocks, 1, {call->buffer + blocks.offset(given), blocks.bytes(given)},
                                {call->buffer + blocks.offset(taken), blocks.bytes(taken)}))
      return error;
  }
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    allgather_ring, .name = "allgather/ring", .operation = ROCKCREEK_ALLGATHER,
    .summary = "blocks go round a ring of all ranks; for long vectors",
    .cost = "n-1 rounds of two messages of a block",
    .source =
        "Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005)",
    .lines = 1, .run = run);

} // namespace algorithms
