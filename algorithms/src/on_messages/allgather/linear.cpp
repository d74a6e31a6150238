// SPDX-License-Identifier: Apache-2.0
// allgather/linear
//
// Idea: rank 0 receives all blocks in the order of the ranks, and then sends the whole vector to each rank.
//
// n = 4:
//
//     gather   1->0:1     2->0:2     3->0:3
//     spread   0->1:0123  0->2:0123  0->3:0123
//
// Cost: 2(n-1) messages, one after the other at rank 0: n-1 of a block and n-1 of the vector.
//
// Hops: those between rank 0 and each other rank.
//
// Restrictions: none; any n. Empty blocks are not sent.
//
// Buffers and flags: those of RCCE_send.
//
// Source: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005),
// section 4.1, which compares with a gather followed by a broadcast; here both are linear.
#include "on_messages/blocks.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  if (blocks.self() != 0) {
    if (const int error = send_bytes(call->source, blocks.bytes(blocks.self()), 0)) return error;
    return receive_bytes(call->buffer, call->bytes, 0);
  }
  rcce_copy(call->buffer, call->source, blocks.bytes(0));
  for (int rank = 1; rank < blocks.ranks(); ++rank)
    if (const int error = receive_bytes(call->buffer + blocks.offset(rank), blocks.bytes(rank), rank))
      return error;
  for (int rank = 1; rank < blocks.ranks(); ++rank)
    if (const int error = send_bytes(call->buffer, call->bytes, rank)) return error;
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    allgather_linear, .name = "allgather/linear", .operation = ROCKCREEK_ALLGATHER,
    .summary = "rank 0 takes all blocks in turn and sends the vector to each rank",
    .cost = "n-1 messages of a block and n-1 of the vector, one after the other at rank 0",
    .source =
        "Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005)",
    .lines = 1, .run = run);

} // namespace algorithms
