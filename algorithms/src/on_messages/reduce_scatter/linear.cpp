// SPDX-License-Identifier: Apache-2.0
// reduce_scatter/linear
//
// Idea: rank 0 takes everybody's operand in turn, combines it when it has come, and sends each rank its block
// of the result.
//
// n = 4; block b belongs to rank b:
//
//     reduce    1->0   2->0   3->0
//     scatter   0->1:1   0->2:2   0->3:3
//
// Cost: n-1 messages of the vector with their combinings and n-1 of a block, one after the other at rank 0.
//
// Hops: those between rank 0 and each other rank.
//
// Restrictions: none; any n. Order of operands: ascending.
//
// Buffers and flags: those of RCCE_send; two vectors of memory at rank 0.
//
// Source: a reduction and a scatter: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication
// Operations in MPICH (2005), section 4.4; here both are linear.
#include "on_messages/blocks.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  Reduction own(*call);
  const std::size_t bytes = blocks.bytes(blocks.self());
  if (blocks.self() != 0) {
    if (const int error = own.send(own.source(), 0)) return error;
    return receive_bytes(call->buffer, bytes, 0);
  }
  if (const int error = own.prepare_partial(2)) return error;
  char* const sum = own.partial(0);
  own.copy(sum, own.source());
  for (int rank = 1; rank < blocks.ranks(); ++rank)
    if (const int error = own.take(sum, own.partial(1), rank)) return error;
  for (int rank = 1; rank < blocks.ranks(); ++rank)
    if (const int error = send_bytes(sum + blocks.offset(rank), blocks.bytes(rank), rank)) return error;
  rcce_copy(call->buffer, sum, bytes);
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_scatter_linear, .name = "reduce_scatter/linear", .operation = ROCKCREEK_REDUCE_SCATTER,
    .summary = "rank 0 takes everybody's operand in turn and sends each rank its block of the result",
    .cost = "n-1 messages of the vector, n-1 combinings and n-1 messages of a block, all at rank 0",
    .source =
        "Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005)",
    .needs = ROCKCREEK_FIXED_ORDER, .lines = 1, .run = run);

} // namespace algorithms
