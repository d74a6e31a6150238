// SPDX-License-Identifier: Apache-2.0
// reduce/f_nomial_split on network cards
//
// Idea: for vectors whose combining costs more than messages. In each of S splits both halves of a group of
// cards exchange halves of their vectors and go on with half of the elements; then each of the 2^S groups
// reduces its segment by an f-nomial tree, and their roots send the segments to the root. A card sends its
// half before it waits for the other one: puts do not block.
//
// n = 7, 2 elements, 1 split, f = 2 (a -> b : element):
//
//     split     0<->4:1,0   1<->5:1,0   2<->6:1,0   3->6:1
//     phase 0   1->0:0  3->2:0   5->4:1
//     phase 1   2->0:0           6->4:1
//     gather    4->0:1
//
// Cost: C + sum over k = 1..S of (L + r + c(V / 2^k)) + f_nomial's for n / 2^S cards and V / 2^S elements
// without C + L + (2^S - 1) r.
//
// Limits: as many splits as leave every group a rank and an element. Operands are combined across the groups'
// borders: the operation has to be commutative.
//
// Source: as f_nomial, section 6.5, which draws 8 ranks and 2 elements; the general form is ours.
#pragma once

#include <vector>

#include "algorithms/on_cards/reduce/f_nomial.hpp"
#include "algorithms/shapes/f_nomial_split.hpp"

namespace algorithms::on_cards {

template <class Port>
void f_nomial_split(Port& port, std::span<const int> degrees, int asked, mesh::cluster::Order order) {
  using mesh::cluster::Elements;
  namespace split = algorithms::f_nomial_split;
  const auto segment_of = [](const split::Group& group) {
    return Elements{static_cast<std::uint32_t>(group.begin), static_cast<std::uint32_t>(group.end)};
  };
  const int splits = split::splits_of(asked, port.ranks(), port.elements());
  split::Group group{0, port.ranks(), 0, port.elements()};
  for (int step = 0; step < splits; ++step) {
    const split::Split halves(group);
    const split::Exchange exchange = halves.exchange_of(port.rank());
    port.send(exchange.partner,
              Elements{static_cast<std::uint32_t>(exchange.send_begin),
                       static_cast<std::uint32_t>(exchange.send_end)});
    const int extra = halves.extra_of(port.rank());
    group = halves.half_of(port.rank());
    std::vector<int> from;
    if (exchange.receives) from.push_back(exchange.partner);
    if (extra >= 0) from.push_back(extra);
    port.collect(from, segment_of(group), mesh::cluster::Order::list);
  }
  f_nomial(port, algorithms::f_nomial::Shape(group.size, degrees), order, group.first, segment_of(group));
  if (port.rank() > 0) {
    if (port.rank() == group.first) port.send(0, segment_of(group));
    return;
  }
  std::vector<mesh::cluster::Segment> segments;
  for (int first = group.size; first < port.ranks();) {
    const split::Group other = split::group_of(first, port.ranks(), port.elements(), splits);
    segments.push_back({first, segment_of(other)});
    first += other.size;
  }
  port.gather(segments);
}

} // namespace algorithms::on_cards
