// SPDX-License-Identifier: Apache-2.0
// barrier/test_and_set
//
// Idea: each core's test-and-set register carries one token. A token runs from the last rank down to rank
// 0, which then knows that all have come, and back up, which releases them. A rank waits at its own
// register only.
//
// n = 5:
//
//     arrive     4->3  3->2  2->1  1->0
//     release    0->1  1->2  2->3  3->4
//
// A register holds one token: rank v+1 may give its next one only after v has taken the release, which v
// hands to v+1 itself. That is why the release cannot take a shorter way, such as a tree.
//
// Cost: 2*(n-1) steps one after the other, each a remote register write and a local read; no MPB access at
// all.
//
// Hops: ranks next to each other are tiles next to each other.
//
// Restrictions: the program cannot use RCCE_acquire_lock, and flags not be single bits, which take that
// lock.
//
// Buffers and flags: none; every UE's test-and-set register, for good.
//
// Source: test-and-set barriers on the SCC: Reble, Lankes, Clauss, Bemmerl: A Fast Inter-Kernel
// Communication and Synchronization Layer for MetalSVM (2011); the chain is ours.
#include <RCCE_lib.h>

#include "algorithms/algorithm.h"

namespace algorithms {
namespace {

int prepare(const rockcreek_call* /*call*/) {
  RCCE_acquire_lock(RCCE_ue());
  return RCCE_barrier(&RCCE_COMM_WORLD);
}

int run(const rockcreek_call* /*call*/) {
  const int rank = RCCE_ue(), last = RCCE_num_ues() - 1;
  if (rank < last) RCCE_acquire_lock(rank);
  if (rank > 0) {
    RCCE_release_lock(rank - 1);
    RCCE_acquire_lock(rank);
  }
  if (rank < last) RCCE_release_lock(rank + 1);
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    barrier_test_and_set, .name = "barrier/test_and_set", .operation = ROCKCREEK_BARRIER,
    .summary = "a token runs along the cores' test-and-set registers and back; no buffer memory",
    .cost = "2(n-1) steps one after the other, each a remote register write and a local read",
    .source = "after Reble, Lankes, Clauss, Bemmerl: A Fast Inter-Kernel Communication and Synchronization "
              "Layer for MetalSVM (2011)",
    .needs = ROCKCREEK_NEEDS_REGISTERS, .prepare = prepare, .run = run);

} // namespace algorithms
