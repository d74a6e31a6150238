// SPDX-License-Identifier: Apache-2.0
// bcast/level_tree
//
// Idea: a tree of which every level has a fan-out of its own, chosen for the machine: readers of one line are
// served one at a time, levels cost a hand-over each.
//
// n = 10, fan-outs 3 2:
//
//     0 -> 1,2,3        1 -> 4,5   2 -> 6,7   3 -> 8,9
//
// Cost: for each level of fan-out k, k readers of a line and of a block, and k acknowledgements.
//
// Restrictions: none.
//
// Words: tree.hpp.
//
// Source: Ramos, Hoefler: Modeling Communication in Cache-Coherent SMP Systems (2013), section 5 and
// equation 11.
#pragma once

#include "algorithms/in_memory/bcast/tree.hpp"
#include "algorithms/shapes/level_tree.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class LevelTreeBroadcast : public TreeBroadcast<M> {
 public:
  LevelTreeBroadcast(M& memory, const BroadcastOptions& options)
      : LevelTreeBroadcast(memory, level_tree::Shape(memory.threads(), options.fan_outs), options) {}

 private:
  LevelTreeBroadcast(M& memory, const level_tree::Shape& shape, const BroadcastOptions& options)
      : TreeBroadcast<M>(memory,
                         SpanningTree::of(memory.threads(), [&](int rank) { return shape.parent(rank); }),
                         options.notice.value_or(Notice::shared), options.shared_line) {}
};

} // namespace algorithms::in_memory
