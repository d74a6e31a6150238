/* rockcreek exercise: broadcast */
/* A binomial tree: who has the message, the ranks 0 to 2^r - 1 counted from the root, sends it to the one 2^r
   further. */
#include "RCCE.h"

#include "algorithms/algorithm.h"

static int broadcast(const rockcreek_call *call) {
  const int ues = RCCE_num_ues(), self = (RCCE_ue() - call->root + ues) % ues;
  int error = RCCE_SUCCESS, distance = 1;
  while (distance < ues)
    distance *= 2;
  for (distance /= 2; distance > 0 && error == RCCE_SUCCESS; distance /= 2) {
    const int place = self % (2 * distance);
    if (place == 0 && self + distance < ues)
      error = RCCE_send(call->buffer, call->bytes, (RCCE_ue() + distance) % ues);
    else if (place == distance)
      error = RCCE_recv(call->buffer, call->bytes, (RCCE_ue() - distance + ues) % ues);
  }
  return error;
}

ROCKCREEK_ALGORITHM(my_broadcast, .name = "bcast/mine", .operation = ROCKCREEK_BCAST,
                    .summary = "binomial tree", .source = "a test", .run = broadcast);
