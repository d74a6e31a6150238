// SPDX-License-Identifier: Apache-2.0
// bcast/tagged
//
// Idea: a parent writes one line into its own MPB, data and the number that tells of them together. Its
// children look at that line again and again until they see the number: one put serves them all, and nobody
// passes news on. Up to 65 ranks are the root and its children; more are an f-nomial tree.
//
// n = 7, degree 3 (virtual ranks; the root is 0):
//
//     put     0 -> 0:line
//     get     1 2 3 6 <- 0                    (again and again)
//     put     3 -> 3:line    6 -> 6:line      get   4 5 <- 3    (nobody below 6)
//
// Who looks in vain for too long sleeps, and is woken along a tree (on_messages/polled_tree.hpp).
//
// When may the line be written again? A child says in a flag at its parent when it has read. The segments of
// messages take turns in two sets of lines and flags. A parent looks at those of the segment before, so it
// does not wait in time.
//
// Cost: per level of the tree a put and two or three looks, if a segment is up to 28 bytes: two levels up to
// 1,000 ranks. Longer ones: a put into the own MPB and a get from the parent's more. A root that comes late
// costs about log_2 n puts and looks beside.
//
// Hops: gets from the parent, whose distance in ranks is below the product of degrees below it.
//
// Restrictions: no flags of single bits; any n, any root. Children that read one after the other from the
// parent's MPB are what limits the degree. A message longer than a segment goes in segments, one after the
// other.
//
// Buffers and flags: five lines, and one for 32 children; an area for two segments of up to 256 bytes; two
// flags for each child, bytes in RCCE 2.0, and lines in RCCE 1.0, where there are more levels for it; a page
// of memory.
//
// Source: this project. Flags: Clauss and others: iRCCE user manual 2.0 (2013).
#include <cstddef>
#include <optional>
#include <utility>

#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/message.hpp"
#include "on_messages/polled_tree.hpp"

namespace algorithms {
namespace {

constexpr std::size_t longest_segment = 256;
constexpr int sets = 2;

/// One per UE, as every variable of a program.
struct State {
  explicit State(int degree) : tree(degree) {}

  PolledTree tree;
  int readers = 0; ///< children that may still have to read the last segment
};
std::optional<State> state;

int prepare(const rockcreek_call* call) {
  const auto degree = static_cast<int>(rockcreek_value(call, "degree"));
  state.emplace(degree != 0 ? degree : PolledTree::own_degree(RCCE_num_ues()));
  const int error = state->tree.allocate(call->algorithm->name, sets, longest_segment);
  return error == RCCE_SUCCESS ? RCCE_barrier(&RCCE_COMM_WORLD) : error;
}

void move(char* data, std::size_t bytes, bool is_root) {
  PolledTree& tree = state->tree;
  tree.next();
  if (!is_root) tree.obtain(data, bytes);
  tree.hand_out(data, bytes);
  if (!is_root) tree.tell_read(tree.number());
  // The next segment takes the place of the last one.
  tree.await_read(tree.number() - 1, std::exchange(state->readers, tree.children()));
}

int run(const rockcreek_call* call) {
  if (call->bytes == 0 || RCCE_num_ues() == 1) return RCCE_SUCCESS;
  if (!state->tree.set_root(call->root)) return rockcreek_refuse("bcast/tagged: no memory");
  const Segmentation segments{call->bytes, state->tree.most_bytes()};
  for (int segment = 0; segment < segments.segments(); ++segment)
    move(call->buffer + segments.offset(segment), segments.length(segment), RCCE_ue() == call->root);
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    bcast_tagged, .name = "bcast/tagged", .operation = ROCKCREEK_BCAST,
    .summary = "children look at a line of their parent's MPB until data and number are there; for up to "
               "some hundred bytes",
    .cost = "per level of the tree a put and two or three looks per 28 bytes, or those and a put and a get "
            "per 256",
    .source = "this project",
    .parameters = {{.name = "degree",
                    .least = 2,
                    .most = PolledTree::most_degree,
                    .tried = "4-64:x2",
                    .fixed = 1,
                    .help = "of the tree: a parent serves up to degree - 1 ranks in a phase; own choice: as "
                            "few phases as there can be"}},
    .needs = ROCKCREEK_NEEDS_TAGS | ROCKCREEK_OWN_COPIES, .prepare = prepare, .run = run);

} // namespace algorithms
