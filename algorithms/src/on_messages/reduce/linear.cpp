// SPDX-License-Identifier: Apache-2.0
// reduce/linear
//
// Idea: every rank sends its operand to the root, which takes them in ascending order and combines each when
// it has come. What RCCE_reduce does, except that the operands stay as they are.
//
// n = 5 (root 0):
//
//     1->0   2->0   3->0   4->0       ((((0 op 1) op 2) op 3) op 4)
//
// Cost: n-1 messages and n-1 times combining, one after the other, at the root.
//
// Hops: those between each rank and the root.
//
// Restrictions: none; any n, any root. Order of operands: the root's, then the others ascending.
//
// Buffers and flags: those of RCCE_send; one vector of memory at the root.
//
// Source: RCCE_reduce; Mattson, van der Wijngaart: RCCE: a Small Library for Many-Core Communication (2010).
#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  Reduction own(*call);
  if (RCCE_ue() != call->root) return own.send(own.source(), call->root);
  if (const int error = own.prepare_partial(1)) return error;
  own.copy(call->buffer, own.source());
  for (int rank = 0; rank < RCCE_num_ues(); ++rank) {
    if (rank == call->root) continue;
    if (const int error = own.take(call->buffer, own.partial(0), rank)) return error;
  }
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_linear, .name = "reduce/linear", .operation = ROCKCREEK_REDUCE,
    .summary = "the root takes everybody's operand in turn, as RCCE_reduce does",
    .cost = "n-1 messages and n-1 combinings, one after the other at the root",
    .source =
        "RCCE_reduce; Mattson, van der Wijngaart: RCCE: a Small Library for Many-Core Communication (2010)",
    .needs = ROCKCREEK_FIXED_ORDER, .lines = 1, .run = run);

} // namespace algorithms
