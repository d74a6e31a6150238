// SPDX-License-Identifier: Apache-2.0
// allgather/direct_get
//
// Idea: no messages. Everybody puts its block into the own MPB, all meet, and everybody gets all other blocks
// from there, the next rank's first, so that not all are at one MPB at once. Longer blocks go in pieces,
// which take turns in the two halves of the MPB: one meeting for each piece is enough.
//
// n = 3, blocks of two pieces:
//
//     put  a piece 0 of each rank into half 0
//     meet
//     get  0 <- 1, 2     1 <- 2, 0     2 <- 0, 1
//     put  a piece 1 of each rank into half 1       (others may still get from half 0)
//     meet                                          (all have got their pieces 0)
//     get  0 <- 1, 2     1 <- 2, 0     2 <- 0, 1
//     meet
//
// Cost: per piece one put, n-1 gets and a meeting of ceil(log_2 n) flags; one meeting more at the end.
//
// Hops: gets go to all distances.
//
// Restrictions: none; any n.
//
// Buffers and flags: the payload area of every MPB; 2 ceil(log_2 n) flags.
//
// Source: this project; one-sided allgathers as in Petrovic, Shahmirzadi, Ropars, Schiper: High-Performance
// RMA-Based Broadcast on the Intel SCC (2012), whose readers get from the MPB of who has the data.
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
  const int self = blocks.self(), ranks = blocks.ranks();
  copy_bytes(call->buffer + blocks.offset(self), call->source, blocks.bytes(self));
  if (ranks == 1 || call->bytes == 0) return RCCE_SUCCESS;
  const std::size_t longest = blocks.bytes(ranks - 1), whole = static_cast<std::size_t>(RCCE_chunk);
  const std::size_t piece = longest <= whole ? whole : whole / 2 / line * line;
  if (piece == 0)
    return rockcreek_refuse("%s: %zu bytes are left for messages in an MPB, and it needs %zu; prepare fewer "
                            "algorithms",
                            call->algorithm->name, whole, 2 * line);
  t_vcharp half = RCCE_buff_ptr;
  for (std::size_t done = 0; done < longest; done += piece) {
    const auto bytes_of = [&](int rank) {
      return std::min(piece, blocks.bytes(rank) - std::min(done, blocks.bytes(rank)));
    };
    if (const std::size_t bytes = bytes_of(self)) put(half, call->source + done, bytes, self);
    direct_meetings().meet();
    for (int i = 1; i < ranks; ++i) {
      const int rank = blocks.wrapped(self + i);
      if (const std::size_t bytes = bytes_of(rank))
        get(call->buffer + blocks.offset(rank) + done, half, bytes, rank);
    }
    half = half == RCCE_buff_ptr ? RCCE_buff_ptr + piece : RCCE_buff_ptr;
  }
  direct_meetings().meet();
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    allgather_direct_get, .name = "allgather/direct_get", .operation = ROCKCREEK_ALLGATHER,
    .summary = "everybody puts its block into the own MPB and gets all others from theirs; no messages",
    .cost = "per piece a put, n-1 gets and a dissemination barrier; one barrier at the end",
    .source = "this project; as Petrovic, Shahmirzadi, Ropars, Schiper: High-Performance RMA-Based Broadcast "
              "on the Intel SCC (2012)",
    .needs = ROCKCREEK_OWN_COPIES, .prepare = prepare, .run = run);

} // namespace algorithms
