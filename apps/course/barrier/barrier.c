/* SPDX-License-Identifier: Apache-2.0 */
/* rockcreek exercise: barrier
 *
 * A barrier of your own, made of messages. See README.md beside the original of this file. */
#include "RCCE.h"

#include "algorithms/algorithm.h"

/* Called on every UE. No UE returns before all have called. */
static int barrier(const rockcreek_call *call) {
  char word = 0;
  (void)call;
  if (RCCE_ue() != 0)
    return RCCE_send(&word, sizeof word, 0);
  for (int from = 1; from < RCCE_num_ues(); ++from) {
    const int error = RCCE_recv(&word, sizeof word, from);
    if (error != RCCE_SUCCESS)
      return error;
  }
  return RCCE_SUCCESS;
}

ROCKCREEK_ALGORITHM(my_barrier,
    .name = "barrier/mine",
    .operation = ROCKCREEK_BARRIER,
    .summary = "everybody tells rank 0",
    .source = "me",
    .run = barrier);
