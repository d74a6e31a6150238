// bcast/linear with RCCE_send and RCCE_recv.
#include "algorithms/bcast/linear.hpp"

#include <RCCE.h>

#include "runner.hpp"

namespace algorithms {

int bcast_linear(const Broadcast& call) {
  if (RCCE_ue() != call.root) return RCCE_recv(call.buffer, call.bytes, call.root);
  for (int round = 0; round < RCCE_num_ues() - 1; ++round) {
    const int error = RCCE_send(call.buffer, call.bytes, linear::receiver(round, call.root));
    if (error != RCCE_SUCCESS) return error;
  }
  return RCCE_SUCCESS;
}

} // namespace algorithms
