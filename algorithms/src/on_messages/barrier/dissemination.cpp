// SPDX-License-Identifier: Apache-2.0
// barrier/dissemination
//
// Idea: in each round everybody notifies m others at growing distances and waits for m; after round s a
// rank knows of (m+1)^(s+1) ranks. Nobody gathers, nobody releases.
//
// n = 5, m = 1:
//
//     round 0   0->1  1->2  2->3  3->4  4->0
//     round 1   0->2  1->3  2->4  3->0  4->1
//     round 2   0->4  1->0  2->1  3->2  4->3
//
// Cost: ceil(log_(m+1) n) rounds of m flag writes and m waits each, all ranks at once; n*m*rounds flag
// writes in all.
//
// Hops: up to the mesh's diameter, in every round.
//
// Restrictions: none.
//
// Buffers and flags: 2*m*rounds flags at every rank. A fast partner may be one barrier ahead, so there are
// two sets used in turn; every second time round their meaning is reversed, so that nobody has to reset
// one.
//
// Source: Hensgen, Finkel, Manber: Two Algorithms for Barrier Synchronization (1988); m > 1 and the radix:
// Ramos, Hoefler: Modeling Communication in Cache-Coherent SMP Systems (2013); two sets and reversal:
// Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors (1991).
#include "algorithms/shapes/dissemination.hpp"
#include "algorithms/algorithm.h"
#include "on_messages/fan_out.hpp"
#include "on_messages/flags.hpp"

namespace algorithms {
namespace {

struct State {
  std::vector<RCCE_FLAG> flags; ///< [set][round][partner]
  int partners = 1;
  int set = 0;
  RCCE_FLAG_STATUS meaning = RCCE_FLAG_SET; ///< value that means "notified" at present

  [[nodiscard]] dissemination::Shape shape() const { return {RCCE_num_ues(), partners}; }
};
State state; // one per UE, as every variable of a program

int prepare(const rockcreek_call* call) {
  state.partners = fan_out_of(*call);
  return allocate_flags(state.flags, 2 * state.shape().rounds() * state.partners);
}

int run(const rockcreek_call* /*call*/) {
  const dissemination::Shape shape = state.shape();
  const int rank = RCCE_ue();
  for (int round = 0; round < shape.rounds(); ++round) {
    const int first = (state.set * shape.rounds() + round) * shape.partners();
    RCCE_FLAG* flags = state.flags.data() + first;
    for (int index = 0; index < shape.partners(); ++index)
      if (const int distance = shape.distance(round, index); distance > 0)
        RCCE_flag_write(&flags[index], state.meaning, shape.notifies(rank, distance));
    for (int index = 0; index < shape.partners(); ++index)
      if (shape.distance(round, index) > 0) RCCE_wait_until(flags[index], state.meaning);
  }
  if (state.set == 1) state.meaning = state.meaning == RCCE_FLAG_SET ? RCCE_FLAG_UNSET : RCCE_FLAG_SET;
  state.set = 1 - state.set;
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(barrier_dissemination, .name = "barrier/dissemination", .operation = ROCKCREEK_BARRIER,
                    .summary = "everybody notifies others at growing distances; fewest steps",
                    .cost = "ceil(log_(m+1) n) rounds of m flag writes and m waits each, all ranks at once",
                    .source = "Hensgen, Finkel, Manber: Two Algorithms for Barrier Synchronization (1988)",
                    .parameters = {{.name = "fan_out",
                                    .least = 1,
                                    .most = ROCKCREEK_MOST_RANKS,
                                    .default_value = 1,
                                    .tried = "1-7:1",
                                    .fixed = 1,
                                    .help = "partners of a round"}},
                    .prepare = prepare, .run = run);

} // namespace algorithms
