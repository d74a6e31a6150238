// SPDX-License-Identifier: Apache-2.0
// allgather/direct_get
//
// Idea: no messages. Everybody puts its block into the own MPB, all meet, and everybody gets all other blocks
// from there, the next rank's first, so that not all are at one MPB at once. Longer blocks go in segments,
// which take turns in the two halves of the MPB: one meeting for each segment is enough. Shorter ones stand
// together in one MPB, those of a group of ranks: fewer gets, and fewer lines that are not full.
//
// n = 3, blocks of two segments:
//
//     put  a segment 0 of each rank into half 0
//     meet
//     get  0 <- 1, 2     1 <- 2, 0     2 <- 0, 1
//     put  a segment 1 of each rank into half 1       (others may still get from half 0)
//     meet                                          (all have got their segments 0)
//     get  0 <- 1, 2     1 <- 2, 0     2 <- 0, 1
//     meet
//
// n = 4, groups of two:
//
//     meet
//     put  0, 1 -> 0     2, 3 -> 2
//     meet
//     get  0, 2 <- 0, then 2     1, 3 <- 2, then 0
//     meet
//
// Cost: per segment one put, n-1 gets and a meeting of ceil(log_2 n) flags; one meeting more at the end. With
// groups of g ranks one put, n/g gets and three meetings.
//
// Hops: gets go to all distances.
//
// Restrictions: none; any n.
//
// Buffers and flags: the payload area of every MPB; 2 ceil(log_2 n) flags.
//
// Source: this project; one-sided allgathers as in Petrovic, Shahmirzadi, Ropars, Schiper: High-Performance
// RMA-Based Broadcast on the Intel SCC (2012), whose readers get from the MPB of who has the data.
#include "on_messages/direct_get.hpp"

namespace algorithms {
namespace {

int prepare(const rockcreek_call* /*call*/) {
  return direct_meetings().allocate();
}

int run(const rockcreek_call* call) {
  return DirectGet(*call, -1).all();
}

} // namespace

ROCKCREEK_ALGORITHM(
    allgather_direct_get, .name = "allgather/direct_get", .operation = ROCKCREEK_ALLGATHER,
    .summary = "everybody puts its block into the own MPB and gets all others from theirs; no messages",
    .cost =
        "per segment a put, n-1 gets and a dissemination barrier; one barrier at the end. Groups of g: n/g "
        "gets",
    .source = "this project; as Petrovic, Shahmirzadi, Ropars, Schiper: High-Performance RMA-Based Broadcast "
              "on the Intel SCC (2012)",
    .parameters = {ROCKCREEK_GROUP}, .needs = ROCKCREEK_OWN_COPIES, .lines = 2, .prepare = prepare,
    .run = run);

} // namespace algorithms
