// SPDX-License-Identifier: Apache-2.0
// gather/direct_get
//
// Idea: no messages. Everybody puts its block into the own MPB, all meet, and the root gets all blocks from
// there. Longer blocks go in segments, and shorter ones stand together, as in allgather/direct_get.
//
// n = 4 (root 0), blocks longer than half of an MPB, and groups of three:
//
//     put  0: 0   1: 1   2: 2   3: 3       meet
//     meet                                 put  0, 1, 2 -> 0     3 -> 3
//     get  0 <- 1, 2, 3                    meet
//     meet                                 get  0 <- 0, 3
//                                          meet
//
// Cost: per segment one put, n-1 gets at the root and a meeting of ceil(log_2 n) flags; one meeting more at
// the end. With groups of g ranks one put, n/g gets at the root and three meetings.
//
// Hops: those between the root and each rank.
//
// Restrictions: none; any n, any root.
//
// Buffers and flags: the payload area of every MPB; 2 ceil(log_2 n) flags.
//
// Source: this project; as allgather/direct_get.
#include "on_messages/direct_get.hpp"

namespace algorithms {
namespace {

int prepare(const rockcreek_call* /*call*/) {
  return direct_meetings().allocate();
}

int run(const rockcreek_call* call) {
  return DirectGet(*call, call->root).all();
}

} // namespace

ROCKCREEK_ALGORITHM(
    gather_direct_get, .name = "gather/direct_get", .operation = ROCKCREEK_GATHER,
    .summary = "everybody puts its block into the own MPB and the root gets them from there; no messages",
    .cost = "per segment a put, n-1 gets at the root and a dissemination barrier; one barrier at the end",
    .source = "this project; as Petrovic, Shahmirzadi, Ropars, Schiper: High-Performance RMA-Based Broadcast "
              "on the Intel SCC (2012)",
    .parameters = {ROCKCREEK_GROUP}, .needs = ROCKCREEK_OWN_COPIES, .lines = 2, .prepare = prepare,
    .run = run);

} // namespace algorithms
