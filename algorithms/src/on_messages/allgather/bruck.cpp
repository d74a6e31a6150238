// SPDX-License-Identifier: Apache-2.0
// allgather/bruck
//
// Idea: every rank keeps the blocks from its own on in a row. In round k it sends the first 2^k of them, or
// as many as are missing, to the rank 2^k before it, and appends those of the rank 2^k behind it. In the end
// the row is turned so that rank 0's block stands first.
//
// n = 5; what ranks 0 and 3 have:
//
//     before     0           3
//     round 0    0 1         3 4           1->0, 4->3
//     round 1    0 1 2 3     3 4 0 1       2->0, 0->3
//     round 2    0 1 2 3 4   3 4 0 1 2     4->0, 2->3: one block
//
// Cost: ceil(log2 n) rounds of two messages, n-1 blocks in all in each direction; one copy of the vector.
//
// Hops: partners are 1, 2, 4 ... ranks apart.
//
// Restrictions: none; any n. Messages of no bytes are left out.
//
// Buffers and flags: those of RCCE_send; one vector of memory.
//
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby: Efficient Algorithms for All-to-All Communications in
// Multiport Message-Passing Systems (1997), section 4; as in Thakur, Rabenseifner, Gropp (2005), section 4.1.
#include <algorithm>

#include "on_messages/blocks.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  const int self = blocks.self(), ranks = blocks.ranks();
  char* const row = partial_results((call->bytes + page_bytes) / page_bytes * page_bytes);
  if (row == nullptr)
    return rockcreek_refuse("%s: no memory for %zu bytes", call->algorithm->name, call->bytes);
  rcce_copy(row, call->source, blocks.bytes(self));
  for (int held = 1; held < ranks; held *= 2) {
    const int moved = std::min(held, ranks - held);
    if (const int error = shift(blocks, -held, {row, blocks.bytes_from(self, moved)},
                                {row + blocks.bytes_from(self, held), blocks.bytes_from(self + held, moved)}))
      return error;
  }
  const std::size_t begin = blocks.offset(self);
  rcce_copy(call->buffer + begin, row, call->bytes - begin);
  rcce_copy(call->buffer, row + call->bytes - begin, begin);
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    allgather_bruck, .name = "allgather/bruck", .operation = ROCKCREEK_ALLGATHER,
    .summary = "everybody doubles in each round what it has; for short vectors",
    .cost = "ceil(log2 n) rounds of two messages, n-1 blocks in all each way",
    .source = "Bruck, Ho, Kipnis, Upfal, Weathersby: Efficient Algorithms for All-to-All Communications in "
              "Multiport Message-Passing Systems (1997)",
    .lines = 1, .run = run);

} // namespace algorithms
