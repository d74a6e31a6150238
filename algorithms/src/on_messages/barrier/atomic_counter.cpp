// SPDX-License-Identifier: Apache-2.0
// barrier/atomic_counter
//
// Idea: everybody increments one counter of the system interface; who finds it full is the last and starts
// the release, which goes down a fixed tree of flags.
//
// n = 7, 4 children of a node (order of arrival does not matter; here 5 is last):
//
//     arrive     0, 1, 2, 3, 4, 6, 5 increment; 5 reads 6
//     release    5->0   0->1  0->2  0->3  0->4   1->5  1->6
//
// The counter is never reset: the last of barrier b finds n*(b+1) - 1, in unsigned arithmetic that may
// wrap.
//
// Cost: one access to the system interface each, which it serves one after the other; then about log_k n
// flag writes.
//
// Hops: to the interface at tile (3,0), and those of the tree.
//
// Restrictions: the program is compiled and linked with -DAIR, and a counter is left (two per UE).
//
// Buffers and flags: one counter; 1 release flag at every rank, reversed after each barrier.
//
// Source: Clauss et al.: iRCCE user manual 2.0 (2013), barrier on atomic increment registers; the release
// by a tree is ours (there, everybody polls the interface).
#define AIR
#include <iRCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/tree.hpp"
#include "on_messages/fan_out.hpp"
#include "on_messages/flags.hpp"
#include "on_messages/tree_release.hpp"

// Programs without -DAIR have no such functions and may still link this file.
#pragma weak iRCCE_atomic_alloc
#pragma weak iRCCE_atomic_inc

namespace algorithms {
namespace {

struct State {
  iRCCE_AIR* counter = nullptr;
  std::vector<RCCE_FLAG> release; ///< one
  int fan_out = tree::default_fan_out;
  unsigned full = 0; ///< count at which all have come
  RCCE_FLAG_STATUS meaning = RCCE_FLAG_SET;
};
State state; // one per UE, as every variable of a program

int prepare(const rockcreek_call* call) {
  if (iRCCE_atomic_alloc == nullptr)
    return rockcreek_refuse(
        "barrier/atomic_counter: this program is built without the atomic increment registers; compile "
        "and link it with -DAIR");
  // Of the two counters of a single UE, iRCCE_init has taken both; it needs none.
  if (RCCE_num_ues() == 1) return RCCE_SUCCESS;
  state.fan_out = fan_out_of(*call);
  if (iRCCE_atomic_alloc(&state.counter) != iRCCE_SUCCESS) return iRCCE_ERROR;
  return allocate_flags(state.release, 1); // with a barrier behind the counter's being cleared
}

int run(const rockcreek_call* /*call*/) {
  const int ranks = RCCE_num_ues();
  if (ranks == 1) return RCCE_SUCCESS;
  RCCE_FLAG& release = state.release.front();
  int before = 0;
  iRCCE_atomic_inc(state.counter, &before);
  state.full += static_cast<unsigned>(ranks);
  // Rank 0 sets its own flag too where it is last: each barrier has to leave every flag reversed.
  if (static_cast<unsigned>(before) + 1 == state.full) RCCE_flag_write(&release, state.meaning, 0);
  RCCE_wait_until(release, state.meaning);
  return pass_on_release(release, state.meaning, state.fan_out);
}

} // namespace

ROCKCREEK_ALGORITHM(
    barrier_atomic_counter, .name = "barrier/atomic_counter", .operation = ROCKCREEK_BARRIER,
    .summary = "one increment of an off-chip counter each; the last one starts the release",
    .cost = "one access to the system interface each, one after the other; then about log_k n flag writes",
    .source = "after Clauss et al.: iRCCE user manual 2.0 (2013)",
    .parameters = {{.name = "fan_out",
                    .least = 1,
                    .most = ROCKCREEK_MOST_RANKS,
                    .default_value = tree::default_fan_out,
                    .tried = "2-8:1",
                    .fixed = 1,
                    .help = "children of a node in the release"}},
    .needs = ROCKCREEK_NEEDS_REGISTERS | ROCKCREEK_NEEDS_AIR, .prepare = prepare, .run = run);

} // namespace algorithms
