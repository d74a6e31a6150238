/* SPDX-License-Identifier: Apache-2.0 */
/* rockcreek exercise: broadcast
 *
 * A broadcast that gets by with few rounds. See README.md beside the original of this file. */
#include "RCCE.h"

#include "algorithms/algorithm.h"

/* Called on every UE. UE call->root has call->bytes bytes in call->buffer; afterwards everybody has them
 * there. */
static int broadcast(const rockcreek_call *call) {
  if (RCCE_ue() != call->root)
    return RCCE_recv(call->buffer, call->bytes, call->root);
  for (int to = 0; to < RCCE_num_ues(); ++to) {
    const int error = to == call->root ? RCCE_SUCCESS : RCCE_send(call->buffer, call->bytes, to);
    if (error != RCCE_SUCCESS)
      return error;
  }
  return RCCE_SUCCESS;
}

ROCKCREEK_ALGORITHM(my_broadcast,
    .name = "bcast/mine",
    .operation = ROCKCREEK_BCAST,
    .summary = "the root sends to everybody",
    .source = "me",
    .run = broadcast);
