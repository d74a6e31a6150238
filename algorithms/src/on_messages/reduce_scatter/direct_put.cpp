// SPDX-License-Identifier: Apache-2.0
// reduce_scatter/direct_put
//
// Idea: no messages. All meet, everybody puts its part of each block straight into the MPB of the block's
// rank, which costs the same to any distance, all meet again, and everybody gets the parts from its own MPB
// and combines them. The schedule is that of
// alltoall/direct_put, drawn there.
//
// Cost: n-1 puts, and n-1 gets from the own MPB with their combinings, of a block; two meetings of
// ceil(log_2 n) flags for as many blocks as an MPB has room for.
//
// Hops: none.
//
// Restrictions: none; any n. Order of operands: the own, then those of the partners in the order of the
// steps.
//
// Buffers and flags: the payload area of every MPB; 2 ceil(log_2 n) flags; a piece of memory.
//
// Source: this project; its first half: Rabenseifner, Optimization of Collective Reduction Operations (ICCS
// 2004), where each block has a rank that combines it.
#include "on_messages/direct_put.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

int prepare(const rockcreek_call* /*call*/) {
  return direct_meetings().allocate();
}

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  const int self = blocks.self();
  const std::size_t own = blocks.bytes(self);
  char* const incoming = partial_results((own + page_bytes) / page_bytes * page_bytes);
  if (incoming == nullptr) return rockcreek_refuse("%s: no memory for %zu bytes", call->algorithm->name, own);
  rcce_copy(call->buffer, call->source + blocks.offset(self), own);
  return DirectPut(*call).all([&](int /*sender*/, std::size_t offset, t_vcharp slot, std::size_t bytes) {
    get(incoming, slot, bytes, self);
    return combine_bytes(*call, call->buffer + offset, incoming, bytes);
  });
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_scatter_direct_put, .name = "reduce_scatter/direct_put", .operation = ROCKCREEK_REDUCE_SCATTER,
    .summary = "everybody puts its parts straight into the MPBs of the blocks' ranks; no messages",
    .cost = "n-1 puts, gets and combinings of a block; two dissemination barriers for as many as an MPB has "
            "room for",
    .source = "this project; as Rabenseifner: Optimization of Collective Reduction Operations (2004)",
    .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .prepare = prepare, .run = run);

} // namespace algorithms
