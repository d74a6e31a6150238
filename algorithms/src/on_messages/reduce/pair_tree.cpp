// SPDX-License-Identifier: Apache-2.0
// reduce/pair_tree
//
// Idea: a binomial tree in which both ranks of a pair work: the parent combines one half of the elements, the
// child the other and gives the result back.
//
// n = 5 (virtual ranks; the root is 0; p: a message each way for the child's half, another for the parent's):
//
//     iteration 0   1 p 0   3 p 2            (0 op 1)   (2 op 3)
//     iteration 1   2 p 0                    ((0 op 1) op (2 op 3))
//     iteration 2   4 p 0                    (((0 op 1) op (2 op 3)) op 4)
//
// Cost: ceil(log2 n) iterations of combining half the elements, but of three messages of half the vector,
// where a binomial tree has one of all: it pays where combining an element takes longer than sending half of
// one.
//
// Hops: the early pairs are neighbours.
//
// Restrictions: none; any n, any root. Order of operands: from the root's rank upwards, then from rank 0, the
// same as of reduce/f_nomial of degree 2.
//
// Buffers and flags: those of RCCE_send; two vectors of memory.
//
// Source: a project report on reduction algorithms for multicore machines that introduces dynamic pair
// generation, its static pairs; in shared memory there, by messages here.
#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/message.hpp"
#include "algorithms/shapes/pair_tree.hpp"
#include "on_messages/pair.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const int ranks = RCCE_num_ues();
  const int self = virtual_rank(RCCE_ue(), call->root, ranks);
  const auto real = [&](int v) { return real_rank(v, call->root, ranks); };

  Reduction own(*call);
  if (const int error = own.prepare_partial(2)) return error;
  const int iterations = self == 0 ? pair_tree::iterations(ranks) : pair_tree::child_iteration(self);
  const bool leaf = self != 0 && (iterations == 0 || pair_tree::child(self, 0) >= ranks);
  char* target = self == 0 ? call->buffer : own.partial(1);
  if (!leaf) own.copy(target, own.source());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const int child = pair_tree::child(self, iteration);
    if (child >= ranks) break;
    if (const int error = combine_as_parent(own, target, own.partial(0), real(child))) return error;
  }
  if (self == 0) return RCCE_SUCCESS;
  return combine_as_child(own, leaf ? own.source() : target, own.partial(0), real(pair_tree::parent(self)));
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_pair_tree, .name = "reduce/pair_tree", .operation = ROCKCREEK_REDUCE,
    .summary = "binomial tree of pairs that combine half of the elements each; where combining is slow",
    .cost = "ceil(log2 n) iterations of combining half the elements and three messages of half the vector",
    .source = "a project report on reduction algorithms for multicore machines (dynamic pair generation), "
              "its static pairs",
    .needs = ROCKCREEK_FIXED_ORDER, .lines = 1, .run = run);

} // namespace algorithms
