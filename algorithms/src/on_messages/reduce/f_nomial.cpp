// SPDX-License-Identifier: Apache-2.0
// reduce/f_nomial
//
// Idea: a tree of degree f, the generalisation of the binomial one: in phase k, of f ranks that are f^k apart
// one takes the operands of the others. A larger f makes fewer phases, with more for a parent to do in each.
//
// n = 7, f = 3 (virtual ranks; the root is 0):
//
//     phase 0   1->0  2->0   4->3  5->3
//     phase 1   3->0  6->0                    (((0 op 1) op 2) op ((3 op 4) op 5)) op 6
//
// Cost: ceil(log_f n) phases; on the longest path (f-1) * floor(log_f n) + ceil(n / f^floor(log_f n)) - 1
// messages and times combining, one after the other at the root. n-1 messages in all.
//
// Hops: children lead neighbouring ranks; the few last messages go far.
//
// Restrictions: none; any n, any root, 2 <= f <= 64. Order of operands: from the root's rank upwards, then
// from rank 0. Sums differ between degrees.
//
// Buffers and flags: those of RCCE_send; two vectors of memory at ranks with children.
//
// Source: Moody, Fernandez, Petrini, Panda: Scalable NIC-based Reduction on Large-scale Clusters (SC'03),
// section 3.
#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/f_nomial.hpp"
#include "algorithms/shapes/message.hpp"
#include "on_messages/degree.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const int ranks = RCCE_num_ues();
  const int self = virtual_rank(RCCE_ue(), call->root, ranks);
  const f_nomial::Shape shape(ranks, degree_of(*call));
  const auto real = [&](int v) { return real_rank(v, call->root, ranks); };

  Reduction own(*call);
  const char* result = own.source();
  if (const int children = shape.children(self); children > 0 || self == 0) {
    if (const int error = own.prepare_partial(2)) return error;
    char* target = self == 0 ? call->buffer : own.partial(1);
    own.copy(target, own.source());
    for (int index = 0; index < children; ++index)
      if (const int error = own.take(target, own.partial(0), real(shape.child(self, index)))) return error;
    result = target;
  }
  return self == 0 ? RCCE_SUCCESS : own.send(result, real(shape.parent(self)));
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_f_nomial, .name = "reduce/f_nomial", .operation = ROCKCREEK_REDUCE,
    .summary = "tree of any degree, 2 being the binomial one; for vectors of one buffer or less",
    .cost = "ceil(log_f n) phases; (f-1) floor(log_f n) + ceil(n / f^floor(log_f n)) - 1 messages and "
            "combinings on the longest path",
    .source =
        "Moody, Fernandez, Petrini, Panda: Scalable NIC-based Reduction on Large-scale Clusters (SC'03)",
    .parameters = {ROCKCREEK_DEGREE}, .needs = ROCKCREEK_FIXED_ORDER, .lines = 1, .run = run);

} // namespace algorithms
