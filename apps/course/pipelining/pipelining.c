/* SPDX-License-Identifier: Apache-2.0 */
/* rockcreek exercise: pipelining
 *
 * A broadcast of long messages along a chain. See README.md beside the original of this file. */
#include "RCCE.h"
#include "iRCCE.h"

#include "algorithms/algorithm.h"

/* Called on every UE. UE call->root has call->bytes bytes in call->buffer; afterwards everybody has them
 * there. */
static int broadcast(const rockcreek_call *call) {
  const int ues = RCCE_num_ues();
  const int self = (RCCE_ue() - call->root + ues) % ues; /* place in the chain; the root is 0 */
  int error = RCCE_SUCCESS;
  if (self > 0)
    error = RCCE_recv(call->buffer, call->bytes, (RCCE_ue() + ues - 1) % ues);
  if (error == RCCE_SUCCESS && self < ues - 1)
    error = RCCE_send(call->buffer, call->bytes, (RCCE_ue() + 1) % ues);
  return error;
}

ROCKCREEK_ALGORITHM(my_broadcast,
    .name = "bcast/mine",
    .operation = ROCKCREEK_BCAST,
    .summary = "a chain",
    .source = "me",
    .needs = ROCKCREEK_USES_REQUESTS,
    .run = broadcast);
