// SPDX-License-Identifier: Apache-2.0
// reduce/tagged
//
// Idea: a tree of messages of one line, in which data and the number that tells of them stand together. A
// rank puts its partial result straight into a line of its parent's MPB, which costs the same to any distance
// and is seen at the first look. The tree is that of an optimal summation where a line takes its writer as
// long as its reader: its sizes are Fibonacci's numbers.
//
// n = 7 (virtual ranks; the root is 0), a column for each turn:
//
//     1->0   2->0   4->0
//     3->2   6->4
//     5->4                     ((0 op 1) op (2 op 3)) op ((4 op 5) op 6)
//
// When may a line be written again? The root of a segment knows that all have read their lines. It tells a
// leaf when the next segment begins, and from there all ranks hear of it by a second tree, after their own
// lines. So two sets of lines suffice, and nobody waits for it in time. Another root means another tree: all
// meet first.
//
// Cost: about log_1.6 n times a put and a look at a line, if a segment is up to 28 bytes. Longer ones: a get
// from the child's MPB, a put into the own one more. A barrier where the root is another than last time.
//
// Hops: none for puts; gets, if any, from children, which are near mostly.
//
// Restrictions: no flags of single bits; any n, any root. A vector that is longer than a
// message goes in segments, one after the other. Operands are combined in the order of the tree, upwards from
// the root's rank, then from rank 0.
//
// Buffers and flags: two lines for each child, about 2 log_1.6 n; an area for two messages of up to 128
// bytes; two flags; those of the barrier inside of algorithms; a page of memory.
//
// Source: this project. Tree: Karp, Sahay, Santos, Schauser: Optimal Broadcast and Summation in the LogP
// Model (1993), section 4; flags: Clauss and others: iRCCE user manual 2.0 (2013).
#include <cstddef>
#include <vector>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/message.hpp"
#include "algorithms/shapes/tagged_tree.hpp"
#include "on_messages/flags.hpp"
#include "on_messages/meetings.hpp"
#include "on_messages/reduction.hpp"
#include "on_messages/tagged_lines.hpp"

namespace algorithms {
namespace {

/// One per UE, as every variable of a program.
struct State {
  TaggedLines lines;
  std::vector<RCCE_FLAG> read; ///< everybody has read the segment before; the segments take turns
  int root = -1;               ///< root of the last call
  tagged_tree::Role role;      ///< for that root
  bool untold = false;         ///< nobody has told that the last segment is read
};
State state;

int prepare(const rockcreek_call* call) {
  const tagged_tree::Shape shape(RCCE_num_ues());
  int error = state.lines.allocate(call->algorithm->name, shape.most_children(), 1);
  if (error == RCCE_SUCCESS) error = direct_meetings().allocate();
  return error == RCCE_SUCCESS ? allocate_flags(state.read, 2) : error;
}

void set_root(int root) {
  if (root == state.root) return;
  if (state.untold) direct_meetings().meet();
  state.untold = false;
  state.root = root;
  state.role = tagged_tree::Shape(RCCE_num_ues()).role(virtual_rank(RCCE_ue(), root, RCCE_num_ues()));
}

[[nodiscard]] int rank_of(int v) {
  return real_rank(v, state.root, RCCE_num_ues());
}

void pass_on_that_all_have_read() {
  constexpr int values = 256;
  const int value = state.lines.number() % values;
  RCCE_FLAG& flag = state.read[static_cast<std::size_t>(value % 2)];
  if (RCCE_ue() != state.root) RCCE_wait_until(flag, value);
  for (const int v : state.role.tells) RCCE_flag_write(&flag, value, rank_of(v));
}

int reduce_segment(const rockcreek_call& call, std::size_t offset, std::size_t bytes,
                   TaggedLines::Message* memory) {
  const bool is_root = RCCE_ue() == call.root;
  if (is_root && state.untold) pass_on_that_all_have_read();
  TaggedLines::Message &own = memory[0], &incoming = memory[1];
  char* const sum = is_root ? call.buffer + offset : own.data;
  rcce_copy(sum, call.source + offset, bytes);
  for (int slot = 0; const int child : state.role.children) {
    state.lines.take(incoming, bytes, slot++, rank_of(child));
    if (const int error = combine_bytes(call, sum, incoming.data, bytes)) return error;
  }
  if (!is_root) {
    state.lines.stage(own.data, bytes);
    state.lines.put(own, bytes, state.role.slot, rank_of(state.role.parent));
    if (state.untold) pass_on_that_all_have_read();
  }
  state.untold = true;
  return RCCE_SUCCESS;
}

int run(const rockcreek_call* call) {
  set_root(call->root);
  return state.lines.for_segments(*call,
                                  [&](std::size_t offset, std::size_t bytes, TaggedLines::Message* memory) {
                                    return reduce_segment(*call, offset, bytes, memory);
                                  });
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_tagged, .name = "reduce/tagged", .operation = ROCKCREEK_REDUCE,
    .summary = "a tree of messages of a line, data and number together; for up to some hundred bytes",
    .cost = "about log_1.6 n puts and looks at a line per 28 bytes, or those and a put and a get per 128",
    .source = "this project; tree: Karp, Sahay, Santos, Schauser: Optimal Broadcast and Summation in the "
              "LogP Model (1993)",
    .needs = ROCKCREEK_NEEDS_TAGS | ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .prepare = prepare,
    .run = run);

} // namespace algorithms
