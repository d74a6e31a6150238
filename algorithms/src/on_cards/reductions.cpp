// SPDX-License-Identifier: Apache-2.0
#include "algorithms/on_cards/reductions.hpp"

#include "algorithms/on_cards/reduce/awake_tree.hpp"
#include "algorithms/on_cards/reduce/f_nomial.hpp"
#include "algorithms/on_cards/reduce/f_nomial_split.hpp"
#include "algorithms/on_cards/reduce/serial.hpp"
#include "algorithms/on_hosts/bcast/binomial.hpp"
#include "algorithms/on_hosts/bcast/scatter_allgather.hpp"
#include "algorithms/on_hosts/reduce/binomial.hpp"
#include "algorithms/on_hosts/reduce/four_ary_broadcast.hpp"
#include "algorithms/on_hosts/reduce/rabenseifner.hpp"
#include "algorithms/on_hosts/reduce/recursive_doubling.hpp"

namespace algorithms::on_cards {

namespace {

using mesh::cluster::Config;
using mesh::cluster::Ending;
using mesh::cluster::Port;
using mesh::cluster::Processor;
using mesh::cluster::Program;
using mesh::cluster::Recording;
using mesh::cluster::Vector;

/// For algorithms that have no options.
template <void (*algorithm)(Port&), Processor place, Ending ending>
Program plain(int nodes, std::uint32_t elements, Vector, const Config&, const ReduceOptions&) {
  return Recording::of(nodes, elements, place, ending, algorithm);
}

constexpr Parameter<ReduceOptions> degree{
    .name = "degree",
    .help = "branches of a tree, or of each of its phases",
    .least = least_degree,
    .most = most_degree,
    .default_value = 4,
    .list = true,
    .tried = "2-8:1",
    .set = [](ReduceOptions& options, std::string_view text) { options.degrees = numbers_in(text); }};
constexpr Parameter<ReduceOptions> order{
    .name = "order",
    .help = "in which a card combines: when all of a phase are there, as listed, or by arrival",
    .default_value = 0,
    .words = "all list arrival",
    .set = [](ReduceOptions& options, std::string_view text) {
      using mesh::cluster::Order;
      options.order = text == "list" ? Order::list : text == "arrival" ? Order::arrival : Order::all;
    }};
constexpr Parameter<ReduceOptions> splits{
    .name = "splits",
    .help = "times that the vector is halved before the trees",
    .least = 0,
    .most = most_splits,
    .default_value = 0,
    .tried = "0-6:1",
    .set = [](ReduceOptions& options, std::string_view text) { options.splits = numbers_in(text).front(); }};
constexpr Parameter<ReduceOptions> tree_parameters[] = {degree, order};
constexpr Parameter<ReduceOptions> split_parameters[] = {degree, splits, order};

constexpr ReduceRow rows[] = {
    {"reduce/f_nomial", Processor::cards, Ending::root, false,
     "on cards: tree of any degree, a wake-up for each phase",
     "C + ceil(log_f n) L + (r + c) ((f-1) floor(log_f n) + ceil(n / f^floor(log_f n)) - 1)",
     [](int nodes, std::uint32_t elements, Vector, const Config&, const ReduceOptions& options) {
       const algorithms::f_nomial::Shape shape(nodes, options.degrees);
       return Recording::of(nodes, elements, Processor::cards, Ending::root, [&](Port& port) {
         f_nomial(port, shape, options.order, 0, {0, elements});
       });
     },
     tree_parameters},
    {"reduce/f_nomial_split", Processor::cards, Ending::root, true,
     "on cards: the vector halved, segments reduced side by side",
     "C + L + r + c(V/2^k) for each of S exchanges k, then f_nomial's of n/2^S cards and V/2^S elements, + "
     "(2^S - 1) r",
     [](int nodes, std::uint32_t elements, Vector, const Config&, const ReduceOptions& options) {
       return Recording::of(nodes, elements, Processor::cards, Ending::root, [&](Port& port) {
         f_nomial_split(port, options.degrees, options.splits, options.order);
       });
     },
     split_parameters},
    {"reduce/serial", Processor::cards, Ending::root, false, "on cards: everybody sends to the root",
     "C + L + (n-1) (r + c)", plain<serial, Processor::cards, Ending::root>},
    {"reduce/awake_tree", Processor::cards, Ending::root, false,
     "on cards, our own: one wake-up, and the best tree for that",
     "on one path a wire for each card and a step r + c for each child, one wake-up in all",
     [](int nodes, std::uint32_t elements, Vector what, const Config& machine, const ReduceOptions&) {
       const auto shape = awake_shape(nodes, elements, what, machine);
       const auto parents = shape.parents();
       return Recording::of(nodes, elements, Processor::cards, Ending::root,
                            [&](Port& port) { awake_tree(port, shape, parents); });
     }},
    {"reduce/4_ary_broadcast", Processor::hosts, Ending::broadcast, true,
     "on hosts: the published opponent, a tree and a broadcast by the hardware",
     "ceil(log4 n) levels of four messages and combinings, then one broadcast by the hardware",
     plain<on_hosts::four_ary_broadcast, Processor::hosts, Ending::broadcast>},
    {"reduce/binomial", Processor::hosts, Ending::root, false, "on hosts: a binomial tree",
     "ceil(log2 n) messages and combinings on the longest path",
     plain<on_hosts::binomial, Processor::hosts, Ending::root>},
    {"reduce/recursive_doubling", Processor::hosts, Ending::everywhere, false,
     "on hosts: exchanges, everybody has the result",
     "ceil(log2 n) exchanges of the vector and combinings; two messages more for n that is no power of two",
     plain<on_hosts::recursive_doubling, Processor::hosts, Ending::everywhere>},
    {"reduce/rabenseifner", Processor::hosts, Ending::root, false,
     "on hosts: the vector cut into segments, for long ones",
     "ceil(log2 n) exchanges of V/2, V/4 ..., V(1-1/n) elements combined, and as many messages back to the "
     "root",
     plain<on_hosts::rabenseifner, Processor::hosts, Ending::root>},
};

constexpr ReduceRow broadcast_rows[] = {
    {"bcast/binomial", Processor::hosts, Ending::everywhere, true, "on hosts: a binomial tree",
     "ceil(log2 n) messages on the longest path",
     plain<on_hosts::broadcast_binomial, Processor::hosts, Ending::everywhere>},
    {"bcast/scatter_allgather", Processor::hosts, Ending::everywhere, true,
     "on hosts: a block for each, then all blocks round the ring, for long messages",
     "ceil(log2 n) + n - 1 messages on the longest path, twice the bytes",
     plain<on_hosts::broadcast_scatter_allgather, Processor::hosts, Ending::everywhere>},
};

} // namespace

constinit const std::span<const ReduceRow> reductions = rows;
constinit const std::span<const ReduceRow> broadcasts = broadcast_rows;

} // namespace algorithms::on_cards
