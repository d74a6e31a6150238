// SPDX-License-Identifier: Apache-2.0
// allreduce/direct_put
//
// Idea: no messages. Everybody combines a block of the vector, whose parts all put into its MPB: a
// reduce_scatter/direct_put. Then everybody puts its block into an MPB and gets all others from there: an
// allgather/direct_get.
//
// n = 3; blocks a, b, c of ranks 0, 1, 2:
//
//     meet
//     put      0 -> 1:b 2:c    1 -> 0:a 2:c    2 -> 0:a 1:b
//     meet
//     combine  0: a            1: b            2: c
//     meet
//     get      0 <- 1:b 2:c    1 <- 2:c 0:a    2 <- 0:a 1:b
//     meet
//
// Cost: that of reduce_scatter/direct_put and that of allgather/direct_get.
//
// Hops: none for puts; gets go to all distances.
//
// Restrictions: none; any n. Order of operands of a block: its own rank's, then the others in an order that
// only n, the rank and the length of the vector decide.
//
// Buffers and flags: the payload area of every MPB; 28 flags, and those of the barrier inside of algorithms;
// a piece of memory.
//
// Source: this project; reduce-scatter, then allgather: Rabenseifner, Optimization of Collective Reduction
// Operations (ICCS 2004).
#include "on_messages/direct_get.hpp"
#include "on_messages/reduced_blocks.hpp"

namespace algorithms {
namespace {

int prepare(const rockcreek_call* /*call*/) {
  return prepare_direct_put();
}

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  rockcreek_call gathered = *call;
  gathered.source = call->buffer + blocks.offset(blocks.self());
  const int error = reduce_own_block(*call, call->buffer + blocks.offset(blocks.self()));
  return error == RCCE_SUCCESS ? DirectGet(gathered, -1).all() : error;
}

} // namespace

ROCKCREEK_ALGORITHM(
    allreduce_direct_put, .name = "allreduce/direct_put", .operation = ROCKCREEK_ALLREDUCE,
    .summary = "reduce_scatter/direct_put, then allgather/direct_get; no messages",
    .cost = "those of reduce_scatter/direct_put and allgather/direct_get",
    .source = "this project; as Rabenseifner: Optimization of Collective Reduction Operations (2004)",
    .parameters = {ROCKCREEK_GROUP}, .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .lines = 2,
    .prepare = prepare, .run = run);

} // namespace algorithms
