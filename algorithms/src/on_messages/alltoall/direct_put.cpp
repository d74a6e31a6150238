// SPDX-License-Identifier: Apache-2.0
// alltoall/direct_put
//
// Idea: no messages. Everybody puts its blocks straight into the MPBs of their targets, which costs the same
// to any distance, and gets those for itself from its own MPB. In each step pairs of ranks serve each other.
//
// Short blocks of as many steps as there is room for, six at least, stand side by side in an MPB, so that few
// gets take them all. Ranks meet before they put and before they get. Up to four steps that are left go as
// long blocks. n = 4, as if there were room for three; block ab goes from a to b:
//
//     meet
//     put    0 -> 3:03 2:02 1:01    1 -> 2:12 0:10    2 -> 1:21 0:20 3:23    3 -> 0:30 2:32  (steps 0, 1, 2)
//     meet
//     get    0: 30 20 10            1: 21 01          2: 32 12 02            3: 23 03
//     tell   free   0 -> 0    1 -> 3    2 -> 2    3 -> 1
//     put           1 -> 3:13    3 -> 1:31                                                   (step 3)
//     tell   written
//     get    1: 31    3: 13
//
// Long blocks take turns in two to four slots of each MPB, in segments if there is no room for two. Flags
// tell the partner of a step that its segment is there, and the partner of a later step that a slot is free.
// So nobody waits for more ranks than it has to. A rank comes to those blocks one after the other that lie 64
// KB apart in its vectors, a way of the second-level cache. Where target lines push source lines out, most of
// these have been read.
//
// Cost: n-1 puts of a block. Short blocks: a get for each 4 KB, and two meetings of ceil(log_2 n) flags for
// as many blocks as an MPB has room for. Long blocks: n-1 gets; four flags a segment; a meeting for every 24
// segments.
//
// Hops: none.
//
// Restrictions: none; any n.
//
// Buffers and flags: the payload area of every MPB; 28 flags, and those of the barrier inside of algorithms.
//
// Source: this project.
#include "on_messages/direct_put.hpp"

namespace algorithms {
namespace {

/// Bytes with which the lines of both sides stay in the first-level cache.
constexpr std::size_t batch = 4096;

int prepare(const rockcreek_call* /*call*/) {
  return prepare_direct_put();
}

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  const int self = blocks.self();
  const std::size_t own = blocks.bytes(self);
  const auto target = [&](int rank) { return call->buffer + static_cast<std::size_t>(rank) * own; };
  rcce_copy(target(self), call->source + blocks.offset(self), own);
  return DirectPut(*call, blocks, batch).all([&](const DirectPut::Parts& parts) {
    get(target(parts.sender) + parts.offset, parts.place, parts.all_bytes(), self);
    return RCCE_SUCCESS;
  });
}

} // namespace

ROCKCREEK_ALGORITHM(
    alltoall_direct_put, .name = "alltoall/direct_put", .operation = ROCKCREEK_ALLTOALL,
    .summary = "everybody puts its blocks straight into the targets' MPBs; no messages",
    .cost = "n-1 puts of a block, gets of several; two dissemination barriers for as many as an MPB has room "
            "for. Long blocks: n-1 gets, and four flags a segment",
    .source = "this project", .needs = ROCKCREEK_OWN_COPIES, .lines = 2, .prepare = prepare, .run = run);

} // namespace algorithms
