// SPDX-License-Identifier: Apache-2.0
// reduce/recursive_doubling on hosts
//
// Idea: in round k all pairs of hosts 2^k apart exchange what they have and combine it: everybody has the
// result. Of a number that is no power of two, some give their operand to a neighbour before and have the
// result from it afterwards.
//
// n = 5:   0->1   1<->2 3<->4   1<->3 2<->4   1->0
//
// Cost: floor(log2 n) exchanges, and two messages more where n is no power of two.
//
// Limits: none; operands in rank order, the same bits at all hosts.
//
// Source: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005),
// section 4.5.
#pragma once

#include "algorithms/shapes/recursive_doubling.hpp"
#include "mesh_sim/machines/cluster/steps.hpp"

namespace algorithms::on_hosts {

template <class Port>
void recursive_doubling(Port& port) {
  using mesh::cluster::Side;
  const algorithms::recursive_doubling::Shape shape(port.ranks());
  const int rank = port.rank();
  const mesh::cluster::Elements all{0, port.elements()};
  if (shape.stays_out(rank)) {
    port.send(rank + 1);
    const mesh::cluster::Segment result{rank + 1, all};
    port.gather(std::span(&result, 1));
    return;
  }
  if (shape.is_deputy(rank)) port.receive(rank - 1, all, Side::before);
  for (int round = 0; round < shape.rounds(); ++round) {
    const int partner = shape.partner(rank, round);
    port.send(partner);
    port.receive(partner, all, partner < rank ? Side::before : Side::behind);
  }
  if (shape.is_deputy(rank)) port.send(rank - 1);
}

} // namespace algorithms::on_hosts
