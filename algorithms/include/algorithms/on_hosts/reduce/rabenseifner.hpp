// SPDX-License-Identifier: Apache-2.0
// reduce/rabenseifner on hosts
//
// Idea: for long vectors. In round k, pairs of hosts 2^k apart exchange halves of what they still answer for
// and combine, so that in the end each has a segment of the result; then the segments go to the root along
// the same pairs backwards, twice as long in each round.
//
// n = 4, 4 elements (a -> b : elements):
//
//     halving   0<->1:2-3,0-1   2<->3:2-3,0-1     0<->2:1,0   1<->3:3,2
//     gather    2->0:1  3->1:3                    1->0:2-3
//
// Cost: 2 log2 n messages, and twice the vector's bytes instead of log2 n times.
//
// Limits: none; of fewer elements than hosts, some segments are empty and are not sent. Operands in rank
// order.
//
// Source: Rabenseifner: Optimization of Collective Reduction Operations (ICCS 2004).
#pragma once

#include <vector>

#include "algorithms/shapes/recursive_doubling.hpp"
#include "mesh_sim/machines/cluster/steps.hpp"

namespace algorithms::on_hosts {

template <class Port>
void rabenseifner(Port& port) {
  using mesh::cluster::Elements;
  using mesh::cluster::Segment;
  using mesh::cluster::Side;
  const algorithms::recursive_doubling::Shape shape(port.ranks());
  const int rank = port.rank();
  const Elements all{0, port.elements()};
  const auto gather = [&](int from, Elements elements) {
    const Segment segment{from, elements};
    if (elements.size() > 0) port.gather(std::span(&segment, 1));
  };
  const auto send = [&](int to, Elements elements) {
    if (elements.size() > 0) port.send(to, elements);
  };
  if (shape.stays_out(rank)) {
    port.send(rank + 1);
    if (rank == 0) gather(1, all);
    return;
  }
  if (shape.is_deputy(rank)) port.receive(rank - 1, all, Side::before);
  struct Halving {
    int partner;
    bool lower; ///< keeps the lower half
    Elements given;
  };
  std::vector<Halving> rounds;
  Elements own = all;
  for (int round = 0; round < shape.rounds(); ++round) {
    const int partner = shape.partner(rank, round);
    const std::uint32_t middle = own.begin + (own.size() + 1) / 2;
    const Elements low{own.begin, middle}, high{middle, own.end};
    const bool lower = rank < partner;
    rounds.push_back({partner, lower, lower ? high : low});
    send(partner, rounds.back().given);
    own = lower ? low : high;
    if (own.size() > 0) port.receive(partner, own, lower ? Side::behind : Side::before);
  }
  for (; !rounds.empty(); rounds.pop_back()) {
    const Halving& last = rounds.back();
    if (!last.lower) {
      send(last.partner, own);
      return;
    }
    gather(last.partner, last.given);
    own.end = last.given.end;
  }
  if (shape.is_deputy(rank) && rank == 1) port.send(0);
}

} // namespace algorithms::on_hosts
