// SPDX-License-Identifier: Apache-2.0
// reduce/f_nomial on network cards
//
// Idea: a tree of degree f in phases; in each, a card sleeps until its children of that phase have sent,
// takes them and combines. The host starts its card and is told by the root's when the result is there.
//
// n = 7, f = 3: as on messages (src/on_messages/reduce/f_nomial.cpp):
//
//     phase 0   1->0  2->0   4->3  5->3
//     phase 1   3->0  6->0
//
// Cost: C + ceil(log_f n) L + (r + c) ((f-1) floor(log_f n) + ceil(n / f^floor(log_f n)) - 1), exact where n
// is a power of f or at least 2 f^floor(log_f n), otherwise up to L too high. L has the wake-up of a phase in
// it.
//
// Limits: 2 <= f <= 64, also one degree for each phase. Operands come in rank order where a phase is combined
// as listed, so the operation need not be commutative; in order of arrival the bits of sums depend on the
// machine's times.
//
// Source: Moody, Fernandez, Petrini, Panda: Scalable NIC-based Reduction on Large-scale Clusters (SC'03),
// sections 4 and 5, which waits for all children of a phase.
#pragma once

#include <vector>

#include "algorithms/shapes/f_nomial.hpp"
#include "mesh_sim/machines/cluster/steps.hpp"

namespace algorithms::on_cards {

/// For the ranks first .. first+shape's ranks-1 and a segment of the vector.
template <class Port>
void f_nomial(Port& port, const algorithms::f_nomial::Shape& shape, mesh::cluster::Order order, int first,
              mesh::cluster::Elements elements) {
  const int rank = port.rank() - first;
  std::vector<int> children;
  for (int phase = 0, index = 0; phase < shape.phases() && shape.children(rank, phase) > 0; ++phase) {
    children.clear();
    for (int a = 0; a < shape.children(rank, phase); ++a)
      children.push_back(first + shape.child(rank, index++));
    port.collect(children, elements, order);
  }
  if (rank > 0) port.send(first + shape.parent(rank), elements);
}

} // namespace algorithms::on_cards
