// SPDX-License-Identifier: Apache-2.0
// Blocks from the MPBs of their ranks, what gather/direct_get and allgather/direct_get share.
#pragma once

#include <algorithm>
#include <cstddef>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "on_messages/blocks.hpp"
#include "on_messages/meetings.hpp"
#include "on_messages/mpb_copy.hpp"

namespace algorithms {

/// Everybody puts its block into its own MPB, and those who get them put together the vector in the buffer of
/// the call. A block that is longer than an MPB goes in pieces, which take turns in the two halves of the
/// MPB: a piece is put while others may still get the one before, and who has met twice since has got it.
inline int direct_get(const rockcreek_call& call, bool gets) {
  constexpr std::size_t line = 32;
  const Blocks blocks(call);
  const int self = blocks.self(), ranks = blocks.ranks();
  if (gets) copy_bytes(call.buffer + blocks.offset(self), call.source, blocks.bytes(self));
  if (ranks == 1 || call.bytes == 0) return RCCE_SUCCESS;
  const std::size_t longest = blocks.bytes(ranks - 1), whole = static_cast<std::size_t>(RCCE_chunk);
  const std::size_t piece = longest <= whole ? whole : whole / 2 / line * line;
  if (piece == 0)
    return rockcreek_refuse("%s: %zu bytes are left for messages in an MPB, and it needs %zu; prepare fewer "
                            "algorithms",
                            call.algorithm->name, whole, 2 * line);
  t_vcharp half = RCCE_buff_ptr;
  for (std::size_t done = 0; done < longest; done += piece) {
    const auto bytes_of = [&](int rank) {
      return std::min(piece, blocks.bytes(rank) - std::min(done, blocks.bytes(rank)));
    };
    if (const std::size_t bytes = bytes_of(self)) put(half, call.source + done, bytes, self);
    direct_meetings().meet();
    for (int i = 1; gets && i < ranks; ++i) {
      const int rank = blocks.wrapped(self + i);
      if (const std::size_t bytes = bytes_of(rank))
        get(call.buffer + blocks.offset(rank) + done, half, bytes, rank);
    }
    half = half == RCCE_buff_ptr ? RCCE_buff_ptr + piece : RCCE_buff_ptr;
  }
  direct_meetings().meet(); // everybody's MPB is free
  return RCCE_SUCCESS;
}

} // namespace algorithms
