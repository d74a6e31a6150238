// SPDX-License-Identifier: Apache-2.0
// bcast/three_nomial
//
// Idea: in each step everybody who has the message passes it to two who have not.
//
// n = 5:
//
//     0 -> 3    0 -> 2, 3 -> 4    0 -> 1
//
// Cost: ceil(log3 n) steps of two hand-overs each; a word for each child.
//
// Restrictions: none.
//
// Words: tree.hpp.
//
// Source: Ramos, Hoefler: Modeling Communication in Cache-Coherent SMP Systems (2013), section 5, where it is
// compared with; the tree is that of reduce/f_nomial with degree 3, turned round.
#pragma once

#include "algorithms/in_memory/bcast/tree.hpp"
#include "algorithms/shapes/f_nomial.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class ThreeNomialBroadcast : public TreeBroadcast<M> {
 public:
  ThreeNomialBroadcast(M& memory, const BroadcastOptions& options)
      : TreeBroadcast<M>(
            memory,
            SpanningTree::of(
                memory.threads(),
                [shape = f_nomial::Shape(memory.threads(), 3)](int rank) { return shape.parent(rank); },
                true),
            options.notice.value_or(Notice::single), options.shared_line) {}
};

} // namespace algorithms::in_memory
