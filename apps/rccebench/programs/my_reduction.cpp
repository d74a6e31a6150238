// SPDX-License-Identifier: Apache-2.0
// A reduction on network cards of one's own, to begin with: a chain. The last card sends to the one before
// it, which combines and sends on, down to card 0.
//
//   rccebench compare --operation reduce --with my_reduction.cpp --machine alc
//
// Cost: n - 1 wake-ups and combinings one after another. Operands are combined in rank order.
#include <algorithms/on_cards/own.hpp>

namespace {

using namespace mesh::cluster;
namespace on_cards = algorithms::on_cards;

void chain(Port& port) {
  if (port.rank() + 1 < port.ranks()) port.receive(port.rank() + 1);
  if (port.rank() > 0) port.send(port.rank() - 1);
}

const on_cards::ReduceRow chain_row{
    .name = "reduce/chain",
    .place = Processor::cards,
    .ending = Ending::root,
    .commutative = false,
    .summary = "on cards: from one to the next",
    .cost = "n - 1 wake-ups and combinings one after another",
    .program = [](int nodes, std::uint32_t elements, Vector, const Config&, const on_cards::ReduceOptions&) {
      return Recording::of(nodes, elements, Processor::cards, Ending::root, chain);
    }};

} // namespace

ROCKCREEK_ON_CARDS(chain_row)
