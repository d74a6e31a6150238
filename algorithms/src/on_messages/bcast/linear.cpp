// SPDX-License-Identifier: Apache-2.0
// bcast/linear
//
// Idea: the root sends the whole message to one rank after the other, as RCCE_bcast does. The yardstick.
//
// n = 5, root 2:      2 -> 0    2 -> 1    2 -> 3    2 -> 4
//
// Cost: n-1 start-ups and (n-1)*bytes one after the other, all through the root's put and its link; hops:
// the sum of the distances from the root.
//
// Restrictions: none.
//
// Buffers and flags: those of RCCE_send (payload area of the root's MPB, the pair's two flags).
//
// Source: Intel, RCCE: a Small Library for Many-Core Communication (2010), RCCE_bcast.
#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/linear.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  if (RCCE_ue() != call->root) return RCCE_recv(call->buffer, call->bytes, call->root);
  for (int round = 0; round < RCCE_num_ues() - 1; ++round) {
    const int error = RCCE_send(call->buffer, call->bytes, linear::receiver(round, call->root));
    if (error != RCCE_SUCCESS) return error;
  }
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    bcast_linear, .name = "bcast/linear", .operation = ROCKCREEK_BCAST,
    .summary = "the root sends to one rank after the other, as RCCE_bcast does; the yardstick",
    .cost = "n-1 messages of the whole length, one after the other at the root",
    .source = "Intel, RCCE 2.0 (2010), RCCE_bcast", .lines = 1, .run = run);

} // namespace algorithms
