// SPDX-License-Identifier: Apache-2.0
// bcast/fibonacci
//
// Idea: everybody who has the message sends it on without a pause, as fast as a sender can.
//
// n = 6, a message takes two times what a sender needs:
//
//     0 -> 1    0 -> 2    0 -> 3, 1 -> 4    0 -> 5
//
// Cost: the fewest steps where a hand-over takes `latency` times the time that the sender is busy with it; a
// word for each child.
//
// Restrictions: none.
//
// Words: tree.hpp.
//
// Source: Karp, Sahay, Santos, Schauser: Optimal Broadcast and Summation in the LogP Model (1993); with
// latencies of 2 and 4 in Ramos, Hoefler: Modeling Communication in Cache-Coherent SMP Systems (2013),
// section 5.
#pragma once

#include "algorithms/in_memory/bcast/tree.hpp"
#include "algorithms/shapes/fibonacci.hpp"

namespace algorithms::in_memory {

template <memory::Memory M>
class FibonacciBroadcast : public TreeBroadcast<M> {
 public:
  FibonacciBroadcast(M& memory, const BroadcastOptions& options)
      : TreeBroadcast<M>(memory,
                         SpanningTree::of(memory.threads(),
                                          [parents = fibonacci::parents(memory.threads(), options.latency)](
                                              int rank) { return parents[static_cast<std::size_t>(rank)]; }),
                         options.notice.value_or(Notice::single), options.shared_line) {}
};

} // namespace algorithms::in_memory
