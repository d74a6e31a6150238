// SPDX-License-Identifier: Apache-2.0
// allreduce/reduce_bcast
//
// Idea: rank 0 takes everybody's operand in turn, combines them and sends the result to everybody. What
// RCCE_allreduce does, except that the operands stay as they are.
//
// n = 5:
//
//     1->0   2->0   3->0   4->0       ((((0 op 1) op 2) op 3) op 4)
//     0->1   0->2   0->3   0->4
//
// Cost: 2*(n-1) messages and n-1 times combining, one after the other, at rank 0.
//
// Hops: those between each rank and rank 0.
//
// Restrictions: none. Order of operands: ascending.
//
// Buffers and flags: those of RCCE_send; one vector of memory at rank 0.
//
// Source: RCCE_allreduce; Mattson, van der Wijngaart: RCCE: a Small Library for Many-Core Communication
// (2010).
#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  Reduction own(*call);
  if (RCCE_ue() != 0) {
    if (const int error = own.send(own.source(), 0)) return error;
    return own.receive(call->buffer, 0);
  }
  if (const int error = own.prepare_partial(1)) return error;
  own.copy(call->buffer, own.source());
  for (int rank = 1; rank < RCCE_num_ues(); ++rank)
    if (const int error = own.take(call->buffer, own.partial(0), rank)) return error;
  for (int rank = 1; rank < RCCE_num_ues(); ++rank)
    if (const int error = own.send(call->buffer, rank)) return error;
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    allreduce_reduce_bcast, .name = "allreduce/reduce_bcast", .operation = ROCKCREEK_ALLREDUCE,
    .summary =
        "rank 0 takes everybody's operand in turn and sends the result to each, as RCCE_allreduce does",
    .cost = "2(n-1) messages and n-1 combinings, one after the other at rank 0",
    .source = "RCCE_allreduce; Mattson, van der Wijngaart: RCCE: a Small Library for Many-Core Communication "
              "(2010)",
    .needs = ROCKCREEK_FIXED_ORDER, .lines = 1, .run = run);

} // namespace algorithms
