// The reductions of a cluster by name, on cards and on hosts: what commands, tests and maps walk.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "algorithms/on_cards/reduce/awake_tree.hpp"
#include "algorithms/on_cards/reduce/f_nomial.hpp"
#include "algorithms/on_cards/reduce/f_nomial_split.hpp"
#include "algorithms/on_cards/reduce/serial.hpp"
#include "algorithms/on_messages/reduce/binomial.hpp"
#include "algorithms/on_messages/reduce/four_ary_broadcast.hpp"
#include "algorithms/on_messages/reduce/rabenseifner.hpp"
#include "algorithms/on_messages/reduce/recursive_doubling.hpp"
#include "mesh_sim/machines/cluster/config.hpp"
#include "mesh_sim/machines/cluster/program.hpp"

namespace algorithms::on_cards {

inline constexpr int least_degree = 2, most_degree = 64;

struct ReduceOptions {
  std::vector<int> degrees = {4}; ///< one for each phase; the last for all further ones
  int splits = 0;
  mesh::cluster::Order order = mesh::cluster::Order::all;
};

struct ReduceRow {
  std::string_view name;
  mesh::cluster::Place place;
  mesh::cluster::Ending ending;
  bool has_degree, has_splits, has_order;
  bool commutative; ///< operands are not combined in rank order
  std::string_view summary;
  /// The steps of all nodes for a vector of so many elements on that machine.
  mesh::cluster::Program (*program)(int nodes, std::uint32_t elements, mesh::cluster::Vector what,
                                    const mesh::cluster::Config& machine, const ReduceOptions& options);
};

/// The tree of awake_tree for a machine and a vector.
[[nodiscard]] inline algorithms::awake_tree::Shape awake_shape(int nodes, std::uint32_t elements,
                                                               mesh::cluster::Vector what,
                                                               const mesh::cluster::Config& machine) {
  using mesh::cluster::picoseconds;
  return {nodes,
          {picoseconds(machine.wake), std::max<std::int64_t>(machine.card_step(what, elements), 1),
           picoseconds(machine.wire)}};
}

namespace detail {

using mesh::cluster::Config;
using mesh::cluster::Ending;
using mesh::cluster::Place;
using mesh::cluster::Port;
using mesh::cluster::Program;
using mesh::cluster::Recording;
using mesh::cluster::Vector;

/// For algorithms that have no options.
template <void (*algorithm)(Port&), Place place, Ending ending>
Program plain(int nodes, std::uint32_t elements, Vector, const Config&, const ReduceOptions&) {
  return Recording::of(nodes, elements, place, ending, algorithm);
}

} // namespace detail

inline const ReduceRow reductions[] = {
    {"reduce/f_nomial", detail::Place::cards, detail::Ending::root, true, false, true, false,
     "on cards: tree of any degree, a wake-up for each phase",
     [](int nodes, std::uint32_t elements, detail::Vector, const detail::Config&,
        const ReduceOptions& options) {
       const algorithms::f_nomial::Shape shape(nodes, options.degrees);
       return detail::Recording::of(nodes, elements, detail::Place::cards, detail::Ending::root,
                                    [&](detail::Port& port) {
                                      f_nomial(port, shape, options.order, 0, {0, elements});
                                    });
     }},
    {"reduce/f_nomial_split", detail::Place::cards, detail::Ending::root, true, true, true, true,
     "on cards: the vector halved, pieces reduced side by side",
     [](int nodes, std::uint32_t elements, detail::Vector, const detail::Config&,
        const ReduceOptions& options) {
       return detail::Recording::of(
           nodes, elements, detail::Place::cards, detail::Ending::root,
           [&](detail::Port& port) { f_nomial_split(port, options.degrees, options.splits, options.order); });
     }},
    {"reduce/serial", detail::Place::cards, detail::Ending::root, false, false, false, false,
     "on cards: everybody sends to the root",
     detail::plain<serial, detail::Place::cards, detail::Ending::root>},
    {"reduce/awake_tree", detail::Place::cards, detail::Ending::root, false, false, false, false,
     "on cards, our own: one wake-up, and the best tree for that",
     [](int nodes, std::uint32_t elements, detail::Vector what, const detail::Config& machine,
        const ReduceOptions&) {
       const auto shape = awake_shape(nodes, elements, what, machine);
       const auto parents = shape.parents();
       return detail::Recording::of(nodes, elements, detail::Place::cards, detail::Ending::root,
                                    [&](detail::Port& port) { awake_tree(port, shape, parents); });
     }},
    {"reduce/4_ary_broadcast", detail::Place::hosts, detail::Ending::broadcast, false, false, false, true,
     "on hosts: the published opponent, a tree and a broadcast by the hardware",
     detail::plain<on_messages::four_ary_broadcast, detail::Place::hosts, detail::Ending::broadcast>},
    {"reduce/binomial", detail::Place::hosts, detail::Ending::root, false, false, false, false,
     "on hosts: a binomial tree",
     detail::plain<on_messages::binomial, detail::Place::hosts, detail::Ending::root>},
    {"reduce/recursive_doubling", detail::Place::hosts, detail::Ending::everywhere, false, false, false,
     false, "on hosts: exchanges, everybody has the result",
     detail::plain<on_messages::recursive_doubling, detail::Place::hosts, detail::Ending::everywhere>},
    {"reduce/rabenseifner", detail::Place::hosts, detail::Ending::root, false, false, false, false,
     "on hosts: the vector cut into pieces, for long ones",
     detail::plain<on_messages::rabenseifner, detail::Place::hosts, detail::Ending::root>},
};

} // namespace algorithms::on_cards
