// SPDX-License-Identifier: Apache-2.0
// scatter/direct_put
//
// Idea: no messages. All meet, the root puts each block straight into the MPB of its rank, which costs the
// same to any distance, all meet again, and everybody gets its block from its own MPB. Longer blocks go in
// segments, which take turns in the two halves of the MPBs: the root puts while others get the segment
// before.
//
// n = 3 (root 0), blocks of two segments:
//
//     meet
//     put  0 -> 1, 2     segment 0 into half 0
//     meet
//     get  1   2
//     put  0 -> 1, 2     segment 1 into half 1
//     meet
//     get  1   2
//
// Cost: n-1 puts of a block at the root, and a get from the own MPB of the last segment; one meeting of
// ceil(log_2 n) flags per segment, and one more.
//
// Hops: none.
//
// Restrictions: none; any n, any root.
//
// Buffers and flags: the payload area of every MPB; 2 ceil(log_2 n) flags.
//
// Source: this project.
#include <algorithm>

#include "on_messages/blocks.hpp"
#include "on_messages/meetings.hpp"
#include "on_messages/mpb_copy.hpp"

namespace algorithms {
namespace {

constexpr std::size_t line = 32;

int prepare(const rockcreek_call* /*call*/) {
  return direct_meetings().allocate();
}

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  const int self = blocks.self(), ranks = blocks.ranks(), root = call->root;
  if (self == root) rcce_copy(call->buffer, call->source + blocks.offset(self), blocks.bytes(self));
  if (ranks == 1 || call->bytes == 0) return RCCE_SUCCESS;
  const std::size_t longest = blocks.bytes(ranks - 1), whole = static_cast<std::size_t>(RCCE_chunk);
  const std::size_t segment = longest <= whole ? whole : whole / 2 / line * line;
  t_vcharp half = RCCE_buff_ptr;
  direct_meetings().meet(); // nobody's MPB holds anything of the time before
  for (std::size_t done = 0; done < longest; done += segment) {
    const auto bytes_of = [&](int rank) {
      return std::min(segment, blocks.bytes(rank) - std::min(done, blocks.bytes(rank)));
    };
    for (int i = 1; self == root && i < ranks; ++i) {
      const int rank = blocks.wrapped(root + i);
      if (const std::size_t bytes = bytes_of(rank))
        put(half, call->source + blocks.offset(rank) + done, bytes, rank);
    }
    direct_meetings().meet();
    if (const std::size_t bytes = self == root ? 0 : bytes_of(self))
      get(call->buffer + done, half, bytes, self);
    half = half == RCCE_buff_ptr ? RCCE_buff_ptr + segment : RCCE_buff_ptr;
  }
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    scatter_direct_put, .name = "scatter/direct_put", .operation = ROCKCREEK_SCATTER,
    .summary = "the root puts each block straight into the MPB of its rank; no messages",
    .cost = "n-1 puts of a block at the root and a get; per segment a dissemination barrier, and one more",
    .source = "this project", .needs = ROCKCREEK_OWN_COPIES, .lines = 2, .prepare = prepare, .run = run);

} // namespace algorithms
