// SPDX-License-Identifier: Apache-2.0
// allreduce/tagged
//
// Idea: recursive multiplying by messages of one line, in which data and the number that tells of them stand
// together. In each round groups of two or three ranks put what they have straight into lines of each other's
// MPBs, look at their own, and combine in rank order. If n is no product of twos and threes, or one of too
// many threes, some ranks hand their operand to a neighbour first, and have the result from it in the end.
//
// n = 7 (0 stays out, 1 is its deputy), rounds of 2 and 3:
//
//     before     0->1                                    (0 op 1)
//     round 0    1<->2   3<->4   5<->6                   ((0 op 1) op 2)   (3 op 4)   (5 op 6)
//     round 1    1<->3<->5   2<->4<->6                   ((((0 op 1) op 2) op (3 op 4)) op (5 op 6))
//     after      1->0
//
// Cost: about log_2 n puts and looks at a line, if a segment is up to 28 bytes: 6 of both for 48 ranks.
// Longer ones: in each round a put into the own MPB, and a get from each partner's.
//
// Hops: none for puts; gets, if any, from partners that are 1, 2, 4 ... ranks apart.
//
// Restrictions: no flags of single bits; any n. A vector that is longer than a message goes
// in segments, one after the other. Operands are combined in ascending order, the same at all ranks, so all
// have the same bits.
//
// Buffers and flags: two lines for each message of a rank; two areas for each round and one more, of up to
// 128 bytes and all together up to an eighth of the payload area; a page of memory. A rank that has the
// result knows that all have begun the segment, and so have read the one before: two sets of lines suffice.
//
// Source: Ruefenacht, Bull, Booth: Generalisation of recursive doubling for AllReduce (Parallel Computing 69,
// 2017); by lines: this project. Flags: Clauss and others: iRCCE user manual 2.0 (2013).
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/recursive_multiplying.hpp"
#include "on_messages/reduction.hpp"
#include "on_messages/tagged_lines.hpp"

namespace algorithms {
namespace {

using Message = TaggedLines::Message;
using Messages = std::array<Message*, recursive_multiplying::most_radix>;

/// One per UE, as every variable of a program.
struct State {
  TaggedLines lines;
  std::optional<recursive_multiplying::Shape> shape;
};
State state;

constexpr int folded = 0; ///< the slot and the area between a rank that stays out and its deputy

int prepare(const rockcreek_call* call) {
  const recursive_multiplying::Shape& shape = state.shape.emplace(RCCE_num_ues());
  const int error = state.lines.allocate(call->algorithm->name, 1 + shape.messages(), 1 + shape.rounds());
  return error == RCCE_SUCCESS ? RCCE_barrier(&RCCE_COMM_WORLD) : error;
}

/// The first of the messages has what this rank has combined, before and afterwards.
int exchange(const rockcreek_call& call, std::size_t bytes, int round, Messages& messages) {
  const recursive_multiplying::Shape& shape = *state.shape;
  const int self = RCCE_ue(), own = shape.member(self, round), area = 1 + round;
  state.lines.stage(messages[0]->data, bytes, area);
  for (int member = 0; member < shape.radix(round); ++member)
    if (member != own)
      state.lines.put(*messages[0], bytes, 1 + shape.message(round, own, member),
                      shape.rank_of(self, round, member));
  std::swap(messages[0], messages[static_cast<std::size_t>(own)]);
  for (int member = 0; member < shape.radix(round); ++member) {
    Message& message = *messages[static_cast<std::size_t>(member)];
    if (member != own)
      state.lines.take(message, bytes, 1 + shape.message(round, member, own),
                       shape.rank_of(self, round, member), area);
    if (member == 0) continue;
    if (const int error = combine_bytes(call, messages[0]->data, message.data, bytes)) return error;
  }
  return RCCE_SUCCESS;
}

int reduce_segment(const rockcreek_call& call, std::size_t offset, std::size_t bytes, Messages messages) {
  const recursive_multiplying::Shape& shape = *state.shape;
  const int self = RCCE_ue();
  rcce_copy(messages[0]->data, call.source + offset, bytes);
  if (shape.stays_out(self)) {
    state.lines.stage(messages[0]->data, bytes, folded);
    state.lines.put(*messages[0], bytes, folded, self + 1);
    state.lines.take(*messages[0], bytes, folded, self + 1, folded);
  }
  if (shape.is_deputy(self)) {
    std::swap(messages[0], messages[1]);
    state.lines.take(*messages[0], bytes, folded, self - 1, folded);
    if (const int error = combine_bytes(call, messages[0]->data, messages[1]->data, bytes)) return error;
  }
  for (int round = 0; !shape.stays_out(self) && round < shape.rounds(); ++round)
    if (const int error = exchange(call, bytes, round, messages)) return error;
  if (shape.is_deputy(self)) {
    state.lines.stage(messages[0]->data, bytes, folded);
    state.lines.put(*messages[0], bytes, folded, self - 1);
  }
  rcce_copy(call.buffer + offset, messages[0]->data, bytes);
  return RCCE_SUCCESS;
}

int run(const rockcreek_call* call) {
  return state.lines.for_segments(*call, [&](std::size_t offset, std::size_t bytes, Message* memory) {
    return reduce_segment(*call, offset, bytes, {memory, memory + 1, memory + 2});
  });
}

} // namespace

ROCKCREEK_ALGORITHM(
    allreduce_tagged, .name = "allreduce/tagged", .operation = ROCKCREEK_ALLREDUCE,
    .summary = "groups of two and three exchange messages of a line, data and number together; for up to "
               "some hundred bytes",
    .cost = "about log_2 n puts and looks at a line per 28 bytes, or those and as many puts and gets",
    .source = "Ruefenacht, Bull, Booth: Generalisation of recursive doubling for AllReduce (2017)",
    .needs = ROCKCREEK_NEEDS_TAGS | ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .prepare = prepare,
    .run = run);

} // namespace algorithms
