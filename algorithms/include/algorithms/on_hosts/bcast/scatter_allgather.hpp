// SPDX-License-Identifier: Apache-2.0
// bcast/scatter_allgather on hosts
//
// Idea: for long messages. The message is cut into a block for each host. A binomial tree hands each its
// block, with those of the hosts below it; then all blocks go round the ring.
//
// n = 4 (a -> b : blocks):
//
//     scatter     0->2:2-3   0->1:1 2->3:3
//     allgather   0->1:0 1->2:1 2->3:2 3->0:3   0->1:3 ...   0->1:2 ...
//
// Cost: ceil(log2 n) + n - 1 messages on the longest path, and twice the bytes instead of log2 n times.
//
// Limits: none; blocks without elements are not sent. Hosts of even rank send first and the others receive
// first, because a host waits for the receiver of a long message.
//
// Source: Barnett, Shuler, van de Geijn, Gupta, Payne, Watts: Interprocessor Collective Communication Library
// (1994); Thakur, Rabenseifner, Gropp, as binomial.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "algorithms/shapes/binomial.hpp"
#include "mesh_sim/machines/cluster/steps.hpp"

namespace algorithms::on_hosts {

template <class Port>
void broadcast_scatter_allgather(Port& port) {
  using mesh::cluster::Elements;
  using mesh::cluster::Segment;
  const int rank = port.rank(), ranks = port.ranks();
  const auto blocks = [&](int first, int last) { // last is not among them
    const auto begin_of = [&](int block) {
      return static_cast<std::uint32_t>(std::uint64_t{port.elements()} * static_cast<unsigned>(block) /
                                        static_cast<unsigned>(ranks));
    };
    return Elements{begin_of(first), begin_of(std::min(last, ranks))};
  };
  const auto send = [&](int to, Elements elements) {
    if (elements.size() > 0) port.send(to, elements);
  };
  const auto receive = [&](int from, Elements elements) {
    const Segment segment{from, elements};
    if (elements.size() > 0) port.gather(std::span(&segment, 1));
  };
  const int span = algorithms::binomial::span(rank, ranks);
  if (rank > 0) receive(algorithms::binomial::parent(rank), blocks(rank, rank + span));
  for (int distance = span / 2; distance > 0; distance /= 2)
    if (const int to = rank + distance; to < ranks) send(to, blocks(to, to + distance));
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  for (int round = 0; round < ranks - 1; ++round) {
    const int own = (rank + ranks - round) % ranks, next = (own + ranks - 1) % ranks;
    if (rank % 2 == 0) send(right, blocks(own, own + 1));
    receive(left, blocks(next, next + 1));
    if (rank % 2 != 0) send(right, blocks(own, own + 1));
  }
}

} // namespace algorithms::on_hosts
