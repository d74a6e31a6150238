// SPDX-License-Identifier: Apache-2.0
// reduce/serial on network cards
//
// Idea: every card sends to the root's, which combines one after the other: what the costs of messages and of
// combining are measured by.
//
// n = 4:   1->0  2->0  3->0
//
// Cost: C + L + (n-1) (r + c).
//
// Limits: none; operands in rank order.
//
// Source: Moody, Fernandez, Petrini, Panda: Scalable NIC-based Reduction on Large-scale Clusters (SC'03),
// section 4.1, figure 2.
#pragma once

#include <numeric>
#include <vector>

#include "mesh_sim/machines/cluster/steps.hpp"

namespace algorithms::on_cards {

template <class Port>
void serial(Port& port) {
  if (port.rank() > 0) {
    port.send(0);
    return;
  }
  std::vector<int> others(static_cast<std::size_t>(port.ranks() - 1));
  std::iota(others.begin(), others.end(), 1);
  port.collect(others, mesh::cluster::Order::list);
}

} // namespace algorithms::on_cards
