// SPDX-License-Identifier: Apache-2.0
// reduce_scatter/direct_put
//
// Idea: no messages. Everybody puts its part of each block straight into the MPB of the block's rank, which
// costs the same to any distance, and combines the parts that it gets from its own MPB. The schedule is that
// of alltoall/direct_put, drawn there.
//
// Cost: n-1 puts of a block, and n-1 combinings. Short blocks: 512 bytes got at once, and two meetings of
// ceil(log_2 n) flags for as many blocks as an MPB has room for. Long blocks: n-1 gets; four flags a segment;
// a meeting for every 24 segments.
//
// Hops: none.
//
// Restrictions: none; any n. Order of operands: the own, then the others in an order that only n, the rank
// and the length of the vector decide.
//
// Buffers and flags: the payload area of every MPB; 28 flags, and those of the barrier inside of algorithms;
// memory for a segment.
//
// Source: this project; its first half: Rabenseifner, Optimization of Collective Reduction Operations (ICCS
// 2004), where each block has a rank that combines it.
#include <algorithm>
#include <cstddef>

#include "on_messages/direct_put.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

int prepare(const rockcreek_call* /*call*/) {
  return prepare_direct_put();
}

/// Bytes of parts that are got at once: many share a call, and they stay in the first-level cache.
constexpr std::size_t batch_of_parts = 512;

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  const std::size_t own = blocks.bytes(blocks.self()), room = std::max(own, batch_of_parts);
  char* const incoming = partial_results((room + page_bytes - 1) / page_bytes * page_bytes);
  if (incoming == nullptr)
    return rockcreek_refuse("%s: no memory for %zu bytes", call->algorithm->name, room);
  char* const sum = call->buffer;
  rcce_copy(sum, call->source + blocks.offset(blocks.self()), own);
  const auto combine = [&](const DirectPut::Parts& parts) {
    get(incoming, parts.place, parts.all_bytes(), RCCE_ue());
    for (std::size_t part = 0; part < parts.all_bytes(); part += parts.bytes)
      if (const int error = combine_bytes(*call, sum + parts.offset, incoming + part, parts.bytes))
        return error;
    return RCCE_SUCCESS;
  };
  return DirectPut(*call, blocks, batch_of_parts).all(combine);
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_scatter_direct_put, .name = "reduce_scatter/direct_put", .operation = ROCKCREEK_REDUCE_SCATTER,
    .summary = "everybody puts its parts straight into the MPBs of the blocks' ranks; no messages",
    .cost =
        "n-1 puts and combinings of a block, gets of several; two dissemination barriers for as many as an "
        "MPB has room for. Long blocks: n-1 gets, and four flags a segment",
    .source = "this project; as Rabenseifner: Optimization of Collective Reduction Operations (2004)",
    .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .lines = 2, .prepare = prepare, .run = run);

} // namespace algorithms
