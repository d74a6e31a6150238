// SPDX-License-Identifier: Apache-2.0
// scatter/binomial
//
// Idea: along a binomial tree every rank gets the blocks of its subtree in one message, and passes on those
// of each child. The largest subtree is served first.
//
// n = 6 (virtual ranks; block b belongs to rank b):
//
//     0->4:45   0->2:23   4->5:5   0->1:1   2->3:3
//
// Cost: ceil(log2 n) messages, one after the other; about half of the vector, then a quarter ... on the
// longest path.
//
// Hops: virtual ranks are 1, 2, 4 ... apart.
//
// Restrictions: none; any n, any root. Messages of no bytes are left out.
//
// Buffers and flags: those of RCCE_send; memory for the blocks of the subtree.
//
// Source: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005),
// section 4.2, whose broadcast begins so; the order of children is ours.
#include "on_messages/block_tree.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  BlockTree tree(*call);
  if (const int error = tree.make_row()) return error;
  const Blocks& blocks = tree.blocks();
  if (tree.is_root()) {
    // The row begins with the root's block.
    const std::size_t begin = blocks.offset(call->root);
    rcce_copy(tree.row(), call->source + begin, call->bytes - begin);
    rcce_copy(tree.row() + call->bytes - begin, call->source, begin);
  } else if (const int error = receive_bytes(tree.row(), tree.held(), tree.parent())) {
    return error;
  }
  for (int distance = tree.first_distance(); distance > 0; distance /= 2)
    if (tree.has_child(distance))
      if (const int error = send_bytes(tree.part(distance), tree.part_bytes(distance), tree.child(distance)))
        return error;
  rcce_copy(call->buffer, tree.row(), blocks.bytes(blocks.self()));
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    scatter_binomial, .name = "scatter/binomial", .operation = ROCKCREEK_SCATTER,
    .summary = "blocks go down a binomial tree, those of a subtree in one message; for short blocks",
    .cost = "ceil(log2 n) messages on the longest path, of half of the vector, a quarter ...",
    .source =
        "Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005)",
    .lines = 1, .run = run);

} // namespace algorithms
