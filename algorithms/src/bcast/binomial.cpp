// bcast/binomial with RCCE_send and RCCE_recv.
#include "algorithms/bcast/binomial.hpp"

#include <RCCE.h>

#include "algorithms/message.hpp"
#include "runner.hpp"

namespace algorithms {

int bcast_binomial(const Broadcast& call) {
  const int ranks = RCCE_num_ues();
  const int self = virtual_rank(RCCE_ue(), call.root, ranks);
  if (self != 0) {
    const int error = RCCE_recv(call.buffer, call.bytes, real_rank(binomial::parent(self), call.root, ranks));
    if (error != RCCE_SUCCESS) return error;
  }
  for (int distance = binomial::first_distance(self, ranks); distance > 0; distance /= 2) {
    if (self + distance >= ranks) continue;
    const int error = RCCE_send(call.buffer, call.bytes, real_rank(self + distance, call.root, ranks));
    if (error != RCCE_SUCCESS) return error;
  }
  return RCCE_SUCCESS;
}

} // namespace algorithms
