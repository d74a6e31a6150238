// SPDX-License-Identifier: Apache-2.0
// reduce/4_ary_broadcast on hosts
//
// Idea: the hosts of a tree in which each has four children combine by messages; then the network's hardware
// broadcasts the result, so that in effect everybody has it. No barrier is needed: nobody leaves before all
// have come.
//
// n = 7:   1->0  2->0  3->0  4->0      5->1  6->1
//
// Cost: about log_4 n hops and four receives in each, and the broadcast.
//
// Limits: none; operands not in rank order.
//
// Source: elan_reduce() of Quadrics' library as described by Moody, Fernandez, Petrini, Panda: Scalable
// NIC-based Reduction on Large-scale Clusters (SC'03), section 6.1: what they compare with.
#pragma once

#include "algorithms/shapes/tree.hpp"

namespace algorithms::on_hosts {

template <class Port>
void four_ary_broadcast(Port& port) {
  constexpr int arity = 4;
  for (int slot = 0; slot < arity; ++slot)
    if (const int child = tree::child(port.rank(), slot, arity); child < port.ranks()) port.receive(child);
  if (port.rank() > 0) port.send(tree::parent(port.rank(), arity));
}

} // namespace algorithms::on_hosts
