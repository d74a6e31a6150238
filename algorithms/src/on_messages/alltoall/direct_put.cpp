// SPDX-License-Identifier: Apache-2.0
// alltoall/direct_put
//
// Idea: no messages. All meet, everybody puts its blocks straight into the MPBs of their targets, which costs
// the same to any distance, all meet again, and everybody gets its blocks from its own MPB. In each step
// pairs of ranks serve each other. If an MPB has no room for the blocks of all steps, they come in turns; a
// block that is longer than an MPB goes in pieces.
//
// n = 4, room for two blocks in an MPB; block ab goes from a to b:
//
//     meet
//     put    0 -> 3:03 2:02    1 -> 2:12         2 -> 1:21 0:20    3 -> 0:30       (steps 0, 1)
//     meet
//     get    0: 30 20          1: 21             2: 12 02          3: 03
//     meet
//     put    0 -> 1:01         1 -> 0:10 3:13    2 -> 3:23         3 -> 2:32 1:31  (steps 2, 3)
//     meet
//     get    0: 10             1: 01 31          2: 32             3: 23 13
//
// Cost: n-1 puts and n-1 gets from the own MPB of a block; two meetings of ceil(log_2 n) flags for as many
// blocks as an MPB has room for.
//
// Hops: none.
//
// Restrictions: none; any n.
//
// Buffers and flags: the payload area of every MPB; 2 ceil(log_2 n) flags.
//
// Source: this project.
#include "on_messages/direct_put.hpp"

namespace algorithms {
namespace {

int prepare(const rockcreek_call* /*call*/) {
  return direct_meetings().allocate();
}

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  const int self = blocks.self();
  const std::size_t own = blocks.bytes(self);
  const auto target = [&](int rank) { return call->buffer + static_cast<std::size_t>(rank) * own; };
  rcce_copy(target(self), call->source + blocks.offset(self), own);
  return DirectPut(*call).all([&](int sender, std::size_t offset, t_vcharp slot, std::size_t bytes) {
    get(target(sender) + offset, slot, bytes, self);
    return RCCE_SUCCESS;
  });
}

} // namespace

ROCKCREEK_ALGORITHM(
    alltoall_direct_put, .name = "alltoall/direct_put", .operation = ROCKCREEK_ALLTOALL,
    .summary = "everybody puts its blocks straight into the targets' MPBs; no messages",
    .cost = "n-1 puts and n-1 gets of a block; two dissemination barriers for as many as an MPB has room for",
    .source = "this project", .needs = ROCKCREEK_OWN_COPIES, .prepare = prepare, .run = run);

} // namespace algorithms
