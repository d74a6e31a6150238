// SPDX-License-Identifier: Apache-2.0
// gather/linear
//
// Idea: each rank sends its block to the root, which takes them in the order of the ranks.
//
// n = 4 (root 0; block b belongs to rank b):
//
//     1->0:1   2->0:2   3->0:3
//
// Cost: n-1 messages of a block, one after the other at the root. No byte moves twice.
//
// Hops: those between each rank and the root.
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
  if (self != root) return send_bytes(call->source, blocks.bytes(self), root);
  for (int rank = 0; rank < blocks.ranks(); ++rank) {
    char* const block = call->buffer + blocks.offset(rank);
    if (rank == root)
      rcce_copy(block, call->source, blocks.bytes(rank));
    else if (const int error = receive_bytes(block, blocks.bytes(rank), rank))
      return error;
  }
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    gather_linear, .name = "gather/linear", .operation = ROCKCREEK_GATHER,
    .summary = "the root takes the block of each rank in turn; for long blocks",
    .cost = "n-1 messages of a block, one after the other at the root",
    .source = "Pjesivac-Grbovic et al.: Performance Analysis of MPI Collective Operations (2007)", .lines = 1,
    .run = run);

} // namespace algorithms
