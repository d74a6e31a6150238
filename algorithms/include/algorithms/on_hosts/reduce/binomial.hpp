// SPDX-License-Identifier: Apache-2.0
// reduce/binomial on hosts
//
// Idea: the binomial tree upwards: in round k, of two hosts 2^k apart the lower one takes what the other has.
//
// n = 7:   1->0 3->2 5->4   2->0 6->4   4->0
//
// Cost: ceil(log2 n) hops with one receive in each.
//
// Limits: none; operands in rank order.
//
// Source: MPICH and others use it for short vectors: Thakur, Rabenseifner, Gropp: Optimization of Collective
// Communication Operations in MPICH (2005), section 4.
#pragma once

#include "algorithms/shapes/binomial.hpp"

namespace algorithms::on_hosts {

template <class Port>
void binomial(Port& port) {
  const int span = algorithms::binomial::span(port.rank(), port.ranks());
  for (int distance = 1; distance < span && port.rank() + distance < port.ranks(); distance *= 2)
    port.receive(port.rank() + distance);
  if (port.rank() > 0) port.send(algorithms::binomial::parent(port.rank()));
}

} // namespace algorithms::on_hosts
