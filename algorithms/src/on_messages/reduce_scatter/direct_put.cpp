// SPDX-License-Identifier: Apache-2.0
// reduce_scatter/direct_put
//
// Idea: no messages. Everybody puts its part of each block straight into the MPB of the block's rank, which
// costs the same to any distance, and combines the parts that it gets from its own MPB. The schedule is that
// of alltoall/direct_put, drawn there.
//
// Cost: n-1 puts of a block, and n-1 combinings. Short blocks: 512 bytes got at once, and two meetings of
// ceil(log_2 n) flags for as many blocks as an MPB has room for. Long blocks: n-1 gets; four flags a piece; a
// meeting for every 24 pieces.
//
// Hops: none.
//
// Restrictions: none; any n. Order of operands: the own, then the others in an order that only n, the rank
// and the length of the vector decide.
//
// Buffers and flags: the payload area of every MPB; 28 flags, and those of the barrier inside of algorithms;
// a piece of memory.
//
// Source: this project; its first half: Rabenseifner, Optimization of Collective Reduction Operations (ICCS
// 2004), where each block has a rank that combines it.
#include "on_messages/reduced_blocks.hpp"

namespace algorithms {
namespace {

int prepare(const rockcreek_call* /*call*/) {
  return prepare_direct_put();
}

int run(const rockcreek_call* call) {
  return reduce_own_block(*call, call->buffer);
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_scatter_direct_put, .name = "reduce_scatter/direct_put", .operation = ROCKCREEK_REDUCE_SCATTER,
    .summary = "everybody puts its parts straight into the MPBs of the blocks' ranks; no messages",
    .cost =
        "n-1 puts and combinings of a block, gets of several; two dissemination barriers for as many as an "
        "MPB has room for. Long blocks: n-1 gets, and four flags a piece",
    .source = "this project; as Rabenseifner: Optimization of Collective Reduction Operations (2004)",
    .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .lines = 2, .prepare = prepare, .run = run);

} // namespace algorithms
