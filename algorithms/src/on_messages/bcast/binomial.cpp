// SPDX-License-Identifier: Apache-2.0
// bcast/binomial
//
// Idea: whoever has the message gives it to a rank that leads half of what it is still responsible for;
// the number of holders doubles in each round.
//
// n = 7 (virtual ranks; the root is 0):
//
//     round 0   0 -> 4
//     round 1   0 -> 2   4 -> 6
//     round 2   0 -> 1   2 -> 3   4 -> 5
//
// Cost: ceil(log2 n) start-ups and ceil(log2 n)*bytes on the longest path, n-1 messages; good for messages
// that fit one buffer. With ranks row by row over the mesh the early, few messages go far and the many
// late ones to neighbours.
//
// Restrictions: none; any n, any root.
//
// Buffers and flags: those of RCCE_send.
//
// Source: folklore; in this form in Thakur, Rabenseifner, Gropp: Optimization of Collective Communication
// Operations in MPICH (2005), section 4.
#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/binomial.hpp"
#include "algorithms/shapes/message.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const int ranks = RCCE_num_ues();
  const int self = virtual_rank(RCCE_ue(), call->root, ranks);
  if (self != 0) {
    const int error =
        RCCE_recv(call->buffer, call->bytes, real_rank(binomial::parent(self), call->root, ranks));
    if (error != RCCE_SUCCESS) return error;
  }
  for (int distance = binomial::first_distance(self, ranks); distance > 0; distance /= 2) {
    if (self + distance >= ranks) continue;
    const int error = RCCE_send(call->buffer, call->bytes, real_rank(self + distance, call->root, ranks));
    if (error != RCCE_SUCCESS) return error;
  }
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    bcast_binomial, .name = "bcast/binomial", .operation = ROCKCREEK_BCAST,
    .summary = "the number of holders doubles in each round; for messages of one buffer or less",
    .cost = "ceil(log2 n) messages of the whole length on the longest path, n-1 in all",
    .source = "folklore; Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in "
              "MPICH (2005)",
    .lines = 1, .run = run);

} // namespace algorithms
