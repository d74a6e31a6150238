// SPDX-License-Identifier: Apache-2.0
// bcast/flat
//
// Idea: the root tells everybody by one word, and everybody copies from it.
//
// n = 5:
//
//     0 -> 1,2,3,4
//
// Cost: n - 1 readers of one line and of each line of the root's block, which serve one at a time; n - 1
// acknowledgements that the root polls.
//
// Restrictions: none.
//
// Words: tree.hpp.
//
// Source: Ramos, Hoefler: Modeling Communication in Cache-Coherent SMP Systems (2013), section 5; the message
// counterpart is bcast/linear.
#pragma once

#include "algorithms/in_memory/bcast/tree.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class FlatBroadcast : public TreeBroadcast<M> {
 public:
  FlatBroadcast(M& memory, const BroadcastOptions& options)
      : TreeBroadcast<M>(memory, SpanningTree::of(memory.threads(), [](int) { return 0; }), Notice::shared,
                         options.shared_line) {}
};

} // namespace algorithms::in_memory
