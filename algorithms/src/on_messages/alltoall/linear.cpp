// SPDX-License-Identifier: Apache-2.0
// alltoall/linear
//
// Idea: in the order of their numbers the ranks send each other rank its block, the next rank's first. A rank
// begins as soon as the block of the rank before it has come.
//
// n = 3; block ab goes from a to b:
//
//     0->1:01   0->2:02
//     1->2:12   1->0:10
//     2->0:20   2->1:21
//
// Cost: n(n-1) messages of a block, of which few are on their way at the same time.
//
// Hops: those between each two ranks.
//
// Restrictions: none; any n. Empty blocks are not sent.
//
// Buffers and flags: those of RCCE_send.
//
// Source: the linear algorithm of MPI libraries, with blocking calls: Pjesivac-Grbovic, Angskun, Bosilca,
// Fagg, Gabriel, Dongarra: Performance Analysis of MPI Collective Operations (2007), section 3.
#include "on_messages/blocks.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  const int self = blocks.self(), ranks = blocks.ranks();
  const std::size_t own = blocks.bytes(self);
  for (int sender = 0; sender < ranks; ++sender) {
    char* const target = call->buffer + static_cast<std::size_t>(sender) * own;
    if (sender != self) {
      if (const int error = receive_bytes(target, own, sender)) return error;
      continue;
    }
    rcce_copy(target, call->source + blocks.offset(self), own);
    for (int i = 1; i < ranks; ++i) {
      const int rank = blocks.wrapped(self + i);
      if (const int error = send_bytes(call->source + blocks.offset(rank), blocks.bytes(rank), rank))
        return error;
    }
  }
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    alltoall_linear, .name = "alltoall/linear", .operation = ROCKCREEK_ALLTOALL,
    .summary = "the ranks send their blocks one rank after the other",
    .cost = "n(n-1) messages of a block, few at the same time",
    .source = "Pjesivac-Grbovic et al.: Performance Analysis of MPI Collective Operations (2007)", .lines = 1,
    .run = run);

} // namespace algorithms
