// SPDX-License-Identifier: Apache-2.0
// Reductions to blocks without messages, what reduce_scatter/direct_put, reduce/direct_put and
// allreduce/direct_put share.
#pragma once

#include <algorithm>
#include <cstddef>

#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "on_messages/direct_put.hpp"
#include "on_messages/mpb_copy.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {

/// Bytes of parts that are got at once: many share a call, and they stay in the first-level cache.
inline constexpr std::size_t batch_of_parts = 512;

/// Combines parts: they are got into `incoming`, which has room for a block and for a batch, and combined
/// into `sum`, the own block.
inline auto combine_parts(const rockcreek_call& call, char* sum, char* incoming) {
  return [&call, sum, incoming](const DirectPut::Parts& parts) {
    get(incoming, parts.place, parts.all_bytes(), RCCE_ue());
    for (std::size_t part = 0; part < parts.all_bytes(); part += parts.bytes)
      if (const int error = combine_bytes(call, sum + parts.offset, incoming + part, parts.bytes))
        return error;
    return RCCE_SUCCESS;
  };
}

/// Combines the block of this UE, of the operands of all, into `sum`.
inline int reduce_own_block(const rockcreek_call& call, char* sum) {
  const Blocks blocks(call);
  const std::size_t own = blocks.bytes(blocks.self()), room = std::max(own, batch_of_parts);
  char* const incoming = partial_results((room + page_bytes - 1) / page_bytes * page_bytes);
  if (incoming == nullptr) return rockcreek_refuse("%s: no memory for %zu bytes", call.algorithm->name, room);
  rcce_copy(sum, call.source + blocks.offset(blocks.self()), own);
  return DirectPut(call, blocks, batch_of_parts).all(combine_parts(call, sum, incoming));
}

} // namespace algorithms
