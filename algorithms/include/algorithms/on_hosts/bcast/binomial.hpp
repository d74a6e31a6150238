// SPDX-License-Identifier: Apache-2.0
// bcast/binomial on hosts
//
// Idea: the binomial tree downwards: of those that have the message, each sends it half as far as before.
//
// n = 7:   0->4   0->2 4->6   0->1 2->3 4->5
//
// Cost: ceil(log2 n) hops with one message of all bytes in each.
//
// Limits: none.
//
// Source: MPICH and others use it for short messages: Thakur, Rabenseifner, Gropp: Optimization of Collective
// Communication Operations in MPICH (2005), section 4.
#pragma once

#include <span>

#include "algorithms/shapes/binomial.hpp"
#include "mesh_sim/machines/cluster/steps.hpp"

namespace algorithms::on_hosts {

template <class Port>
void broadcast_binomial(Port& port) {
  if (port.rank() > 0) {
    const mesh::cluster::Segment whole{algorithms::binomial::parent(port.rank()), {0, port.elements()}};
    port.gather(std::span(&whole, 1));
  }
  for (int distance = algorithms::binomial::first_distance(port.rank(), port.ranks()); distance > 0;
       distance /= 2)
    if (port.rank() + distance < port.ranks()) port.send(port.rank() + distance);
}

} // namespace algorithms::on_hosts
