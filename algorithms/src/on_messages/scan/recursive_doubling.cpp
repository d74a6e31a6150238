// SPDX-License-Identifier: Apache-2.0
// scan/recursive_doubling
//
// Idea: in round k every rank passes on what it has to the rank 2^k behind it, and combines what it gets from
// the rank 2^k before it. What it has are the operands of twice as many ranks up to itself each time.
//
// n = 5; i..j: the operands of ranks i to j:
//
//     round 0    0->1   1->2   2->3   3->4     0..0  0..1  1..2  2..3  3..4
//     round 1    0->2   1->3   2->4            0..0  0..1  0..2  0..3  1..4
//     round 2    0->4                          0..0  0..1  0..2  0..3  0..4
//
// Cost: ceil(log2 n) rounds of two messages of the vector and a combining.
//
// Hops: partners are 1, 2, 4 ... ranks apart.
//
// Restrictions: none; any n. Order of operands: neighbouring ranges, the same in every run.
//
// Buffers and flags: those of RCCE_send; one vector of memory.
//
// Source: Hillis, Steele: Data Parallel Algorithms (1986); with messages as in Sanders, Traeff: Parallel
// Prefix (Scan) Algorithms for MPI (2006), section 3.
#include "on_messages/blocks.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  Reduction own(*call);
  const int self = RCCE_ue(), ranks = RCCE_num_ues();
  if (const int error = own.prepare_partial(1)) return error;
  own.copy(call->buffer, own.source());
  for (int distance = 1; distance < ranks; distance *= 2) {
    const bool sends = self + distance < ranks, sends_first = self / distance % 2 == 0;
    if (sends && sends_first)
      if (const int error = own.send(call->buffer, self + distance)) return error;
    if (self >= distance)
      if (const int error = own.receive(own.partial(0), self - distance)) return error;
    if (sends && !sends_first)
      if (const int error = own.send(call->buffer, self + distance)) return error;
    if (self >= distance)
      if (const int error = own.combine(call->buffer, own.partial(0))) return error;
  }
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    scan_recursive_doubling, .name = "scan/recursive_doubling", .operation = ROCKCREEK_SCAN,
    .summary = "everybody passes on what it has to the rank a power of two behind; for short vectors",
    .cost = "ceil(log2 n) rounds of two messages of the vector and a combining",
    .source = "Hillis, Steele: Data Parallel Algorithms (1986)", .needs = ROCKCREEK_FIXED_ORDER, .lines = 1,
    .run = run);

} // namespace algorithms
