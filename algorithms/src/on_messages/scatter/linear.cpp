// SPDX-License-Identifier: Apache-2.0
// scatter/linear
//
// Idea: the root sends each rank its block, in the order of the ranks.
//
// n = 4 (root 0; block b belongs to rank b):
//
//     0->1:1   0->2:2   0->3:3
//
// Cost: n-1 messages of a block, one after the other at the root. No byte moves twice.
//
// Hops: those between the root and each rank.
//
// Restrictions: none; any n, any root. Empty blocks are not sent.
//
// Buffers and flags: those of RCCE_send.
//
// Source: the linear algorithm of MPI libraries: Pjesivac-Grbovic, Angskun, Bosilca, Fagg, Gabriel, Dongarra:
// Performance Analysis of MPI Collective Operations (2007), section 3.
#include "on_messages/blocks.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  const int self = blocks.self(), root = call->root;
  if (self != root) return receive_bytes(call->buffer, blocks.bytes(self), root);
  for (int rank = 0; rank < blocks.ranks(); ++rank) {
    const char* const block = call->source + blocks.offset(rank);
    if (rank == root)
      rcce_copy(call->buffer, block, blocks.bytes(rank));
    else if (const int error = send_bytes(block, blocks.bytes(rank), rank))
      return error;
  }
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    scatter_linear, .name = "scatter/linear", .operation = ROCKCREEK_SCATTER,
    .summary = "the root sends each rank its block in turn; for long blocks",
    .cost = "n-1 messages of a block, one after the other at the root",
    .source = "Pjesivac-Grbovic et al.: Performance Analysis of MPI Collective Operations (2007)", .lines = 1,
    .run = run);

} // namespace algorithms
