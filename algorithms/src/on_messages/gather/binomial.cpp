// SPDX-License-Identifier: Apache-2.0
// gather/binomial
//
// Idea: up a binomial tree every rank takes the blocks of each child's subtree in one message, the smallest
// subtree first, and passes on all that it has.
//
// n = 6 (virtual ranks; block b belongs to rank b):
//
//     1->0:1   3->2:3   5->4:5   2->0:23   4->0:45
//
// Cost: ceil(log2 n) messages, one after the other; about half of the vector in the last one.
//
// Hops: virtual ranks are 1, 2, 4 ... apart.
//
// Restrictions: none; any n, any root. Messages of no bytes are left out.
//
// Buffers and flags: those of RCCE_send; memory for the blocks of the subtree.
//
// Source: the binomial tree of MPI libraries: Pjesivac-Grbovic, Angskun, Bosilca, Fagg, Gabriel, Dongarra:
// Performance Analysis of MPI Collective Operations (2007), section 3.
#include "on_messages/block_tree.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  BlockTree tree(*call);
  if (const int error = tree.make_row()) return error;
  const Blocks& blocks = tree.blocks();
  rcce_copy(tree.row(), call->source, blocks.bytes(blocks.self()));
  for (int distance = 1; distance <= tree.first_distance() && tree.has_child(distance); distance *= 2)
    if (const int error = receive_bytes(tree.part(distance), tree.part_bytes(distance), tree.child(distance)))
      return error;
  if (!tree.is_root()) return send_bytes(tree.row(), tree.held(), tree.parent());
  // The row begins with the root's block.
  const std::size_t begin = blocks.offset(call->root);
  rcce_copy(call->buffer + begin, tree.row(), call->bytes - begin);
  rcce_copy(call->buffer, tree.row() + call->bytes - begin, begin);
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    gather_binomial, .name = "gather/binomial", .operation = ROCKCREEK_GATHER,
    .summary = "blocks go up a binomial tree, those of a subtree in one message; for short blocks",
    .cost = "ceil(log2 n) messages on the longest path, half of the vector in the last one",
    .source = "Pjesivac-Grbovic et al.: Performance Analysis of MPI Collective Operations (2007)", .lines = 1,
    .run = run);

} // namespace algorithms
