// SPDX-License-Identifier: Apache-2.0
// reduce_scatter/pairwise
//
// Idea: in step s every rank sends the rank s behind it that rank's block of the own operand, and combines
// what it gets from the rank s before it. No partial result travels.
//
// n = 4; ab: block b of rank a's operand:
//
//     step 1    0->1:01   1->2:12   2->3:23   3->0:30
//     step 2    0->2:02   1->3:13   2->0:20   3->1:31
//     step 3    0->3:03   1->0:10   2->1:21   3->2:32
//
// Cost: n-1 steps of two messages of a block and a combining.
//
// Hops: those between each two ranks.
//
// Restrictions: none; any n. Order of operands: the own, then those of the ranks before, the nearest first.
//
// Buffers and flags: those of RCCE_send; a block of memory.
//
// Source: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005),
// section 4.4.
#include "on_messages/blocks.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  const int self = blocks.self();
  const std::size_t bytes = blocks.bytes(self);
  char* const incoming = partial_results((bytes + page_bytes) / page_bytes * page_bytes);
  if (incoming == nullptr)
    return rockcreek_refuse("%s: no memory for %zu bytes", call->algorithm->name, bytes);
  rcce_copy(call->buffer, call->source + blocks.offset(self), bytes);
  for (int step = 1; step < blocks.ranks(); ++step) {
    if (const int error =
            shift(blocks, step, {call->source + blocks.offset(self + step), blocks.bytes(self + step)},
                  {incoming, bytes}))
      return error;
    if (const int error = combine_bytes(*call, call->buffer, incoming, bytes)) return error;
  }
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_scatter_pairwise, .name = "reduce_scatter/pairwise", .operation = ROCKCREEK_REDUCE_SCATTER,
    .summary = "everybody gets its block of each operand from that operand's rank; for long vectors",
    .cost = "n-1 steps of two messages of a block and a combining",
    .source =
        "Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005)",
    .needs = ROCKCREEK_FIXED_ORDER, .lines = 1, .run = run);

} // namespace algorithms
