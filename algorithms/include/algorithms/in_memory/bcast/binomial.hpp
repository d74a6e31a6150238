// SPDX-License-Identifier: Apache-2.0
// bcast/binomial
//
// Idea: in each step everybody who has the message passes it to one who has not, at half the distance of the
// step before.
//
// n = 5:
//
//     0 -> 4    0 -> 2    0 -> 1, 2 -> 3
//
// Cost: ceil(log2 n) hand-overs and copies on the longest path; a word for each child.
//
// Restrictions: none.
//
// Words: tree.hpp.
//
// Source: folklore; on this kind of machine Ramos, Hoefler: Modeling Communication in Cache-Coherent SMP
// Systems (2013), section 5.
#pragma once

#include "algorithms/in_memory/bcast/tree.hpp"
#include "algorithms/shapes/binomial.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class BinomialBroadcast : public TreeBroadcast<M> {
 public:
  BinomialBroadcast(M& memory, const BroadcastOptions& options)
      : TreeBroadcast<M>(memory, SpanningTree::of(memory.threads(), binomial::parent, true),
                         options.notice.value_or(Notice::single), options.shared_line) {}
};

} // namespace algorithms::in_memory
