// SPDX-License-Identifier: Apache-2.0
// reduce/awake_tree on network cards: our own
//
// Idea: a card's program is woken once, by its first child, and stays awake until its last one; a program per
// phase pays the wake-up in each. For a cost of this form the tree that is done first is known: whoever is
// done at t has children that are done by t - L - s, t - L - 2 s ..., the first of them also by the wake-up w
// before (s = r + c), each again the largest tree that can be done by then. That is a tree of the LogP kind,
// with degrees that fall from the root to the leaves.
//
// n = 7, w = 2, s = 1, L = 1 (root done at 7; children in the order in which they are taken):
//
//     0 <- 1, 2, 3, 4      4 <- 5, 6
//
// Cost: on one path, one w for each card and s for each child; on 906 cards of preset alc 32 % less than the
// best f-nomial tree for one int32, 30 % for one float64, on 65,536 35 % less; for vectors whose combining
// takes far longer than w both trees become the same.
//
// Limits: while a program is awake the card serves no other one. The tree is made for one machine, operation
// and length: with other costs it is not the best. Any n; operands in rank order.
//
// Source: our own; trees of this kind for broadcasts: Karp, Sahay, Santos, Schauser: Optimal Broadcast and
// Summation in the LogP Model (SPAA 1993).
#pragma once

#include "algorithms/shapes/awake_tree.hpp"
#include "mesh_sim/machines/cluster/steps.hpp"

namespace algorithms::on_cards {

/// `parents` are the shape's.
template <class Port>
void awake_tree(Port& port, const algorithms::awake_tree::Shape& shape, const std::vector<int>& parents) {
  port.collect(shape.children(port.rank()), mesh::cluster::Order::list);
  if (port.rank() > 0) port.send(parents[static_cast<std::size_t>(port.rank())]);
}

} // namespace algorithms::on_cards
