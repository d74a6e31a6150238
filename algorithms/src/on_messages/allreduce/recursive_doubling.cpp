// SPDX-License-Identifier: Apache-2.0
// allreduce/recursive_doubling
//
// Idea: in each round everybody exchanges what it has with the rank across one bit and combines both, so that
// the number of operands in each result doubles. Ranks beyond a power of two hand their operand to a
// neighbour first, and have the result from it in the end.
//
// n = 5 (0 stays out, 1 is its deputy):
//
//     before     0->1                              (0 op 1)
//     round 0    1<->2   3<->4                     ((0 op 1) op 2)   (3 op 4)
//     round 1    1<->3   2<->4                     (((0 op 1) op 2) op (3 op 4))
//     after      1->0
//
// Cost: floor(log2 n) exchanges and times combining, for other n than powers of two two messages and one
// combining more. With blocking calls the two messages of an exchange follow each other.
//
// Hops: partners are 1, 2, 4 ... ranks apart.
//
// Restrictions: none. Order of operands: ascending, and the same at all ranks, so all have the same bits.
//
// Buffers and flags: those of RCCE_send; one vector of memory.
//
// Source: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005),
// section 4.5.
#include <utility>

#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/recursive_doubling.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const int self = RCCE_ue();
  const recursive_doubling::Shape shape(RCCE_num_ues());
  Reduction own(*call);
  if (shape.stays_out(self)) {
    if (const int error = own.send(own.source(), self + 1)) return error;
    return own.receive(call->buffer, self + 1);
  }
  if (const int error = own.prepare_partial(1)) return error;
  char *result = call->buffer, *incoming = own.partial(0);
  own.copy(result, own.source());
  // What a lower rank has stands on the left, wherever it is: the result is then where that was.
  const auto combine = [&](int rank) {
    if (rank > self) return own.combine(result, incoming);
    std::swap(result, incoming);
    return own.combine(result, incoming);
  };
  if (shape.is_deputy(self)) {
    if (const int error = own.receive(incoming, self - 1)) return error;
    if (const int error = combine(self - 1)) return error;
  }
  for (int round = 0; round < shape.rounds(); ++round) {
    const int partner = shape.partner(self, round);
    int error = self < partner ? own.send(result, partner) : own.receive(incoming, partner);
    if (error == RCCE_SUCCESS)
      error = self < partner ? own.receive(incoming, partner) : own.send(result, partner);
    if (error == RCCE_SUCCESS) error = combine(partner);
    if (error != RCCE_SUCCESS) return error;
  }
  own.copy(call->buffer, result);
  return shape.is_deputy(self) ? own.send(call->buffer, self - 1) : RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    allreduce_recursive_doubling, .name = "allreduce/recursive_doubling", .operation = ROCKCREEK_ALLREDUCE,
    .summary = "everybody exchanges with the rank across one bit in each round; for short vectors",
    .cost = "floor(log2 n) exchanges of the vector and combinings; two messages and a combining more for n "
            "that is no power of two",
    .source =
        "Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005)",
    .needs = ROCKCREEK_FIXED_ORDER, .lines = 1, .run = run);

} // namespace algorithms
