// SPDX-License-Identifier: Apache-2.0
// barrier/tree
//
// Idea: a rank reports to its parent when its children have reported; from rank 0 the release goes down
// the same tree.
//
// n = 7, 2 children:
//
//     up     3->1  4->1   5->2  6->2      1->0  2->0
//     down   0->1  0->2   1->3  1->4      2->5  2->6
//
// Cost: 2*depth steps, depth = about log_k n; n-1 flag writes up and n-1 down, by different ranks at the
// same time. A parent waits for its children one after the other.
//
// Hops: upper edges are long, the many lower ones too (children of v are k*v+1 ... k*v+k).
//
// Restrictions: none.
//
// Buffers and flags: k arrival flags and 1 release flag at every rank. Their meaning is reversed after
// each barrier, so that nobody has to reset one: a child reports again only after its release, which its
// parent gave after its wait.
//
// Source: Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors
// (1991), section 3.4.
#include "algorithms/shapes/tree.hpp"
#include "algorithms/algorithm.h"
#include "on_messages/fan_out.hpp"
#include "on_messages/flags.hpp"
#include "on_messages/tree_release.hpp"

namespace algorithms {
namespace {

struct State {
  std::vector<RCCE_FLAG> flags; ///< arrivals by slot, then the release
  int fan_out = tree::default_fan_out;
  RCCE_FLAG_STATUS meaning = RCCE_FLAG_SET; ///< value that means "arrived" and "released" at present
};
State state; // one per UE, as every variable of a program

int prepare(const rockcreek_call* call) {
  state.fan_out = fan_out_of(*call);
  return allocate_flags(state.flags, state.fan_out + 1);
}

int run(const rockcreek_call* /*call*/) {
  const int rank = RCCE_ue(), ranks = RCCE_num_ues(), fan_out = state.fan_out;
  RCCE_FLAG& release = state.flags.back();
  for (int slot = 0; slot < fan_out && tree::child(rank, slot, fan_out) < ranks; ++slot)
    RCCE_wait_until(state.flags[static_cast<std::size_t>(slot)], state.meaning);
  if (rank > 0) {
    RCCE_FLAG& arrival = state.flags[static_cast<std::size_t>(tree::slot(rank, fan_out))];
    RCCE_flag_write(&arrival, state.meaning, tree::parent(rank, fan_out));
    RCCE_wait_until(release, state.meaning);
  }
  return pass_on_release(release, state.meaning, fan_out);
}

} // namespace

ROCKCREEK_ALGORITHM(
    barrier_tree, .name = "barrier/tree", .operation = ROCKCREEK_BARRIER,
    .summary = "reports go up a tree, releases down; fewest flag writes",
    .cost = "2 log_k n steps; n-1 flag writes up and n-1 down, by different ranks at the same time",
    .source = "Mellor-Crummey, Scott: Algorithms for Scalable Synchronization (1991)",
    .parameters = {{.name = "fan_out",
                    .least = 1,
                    .most = ROCKCREEK_MOST_RANKS,
                    .default_value = tree::default_fan_out,
                    .tried = "2-8:1",
                    .fixed = 1,
                    .help = "children of a node"}},
    .prepare = prepare, .run = run);

} // namespace algorithms
