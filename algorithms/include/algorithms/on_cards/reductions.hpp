// SPDX-License-Identifier: Apache-2.0
// The reductions and broadcasts of a cluster by name, on cards and on hosts: what commands, tests and maps
// walk.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "algorithms/rows.hpp"
#include "algorithms/shapes/awake_tree.hpp"
#include "mesh_sim/machines/cluster/config.hpp"
#include "mesh_sim/machines/cluster/program.hpp"

namespace algorithms::on_cards {

inline constexpr int least_degree = 2, most_degree = 64, most_splits = 16;

struct ReduceOptions {
  std::vector<int> degrees = {4}; ///< one for each phase; the last for all further ones
  int splits = 0;
  mesh::cluster::Order order = mesh::cluster::Order::all;
};

struct ReduceRow {
  std::string_view name;
  mesh::cluster::Processor place;
  mesh::cluster::Ending ending;
  bool commutative; ///< operands are not combined in rank order
  std::string_view summary;
  std::string_view cost; ///< in one line, in the terms of the files beside: C, L, r, c, V elements on n nodes
  /// The steps of all nodes for a vector of so many elements on that machine.
  mesh::cluster::Program (*program)(int nodes, std::uint32_t elements, mesh::cluster::Vector what,
                                    const mesh::cluster::Config& machine, const ReduceOptions& options);
  std::span<const Parameter<ReduceOptions>> parameters = {};
};

/// The tree of awake_tree for a machine and a vector.
[[nodiscard]] inline algorithms::awake_tree::Shape awake_shape(int nodes, std::uint32_t elements,
                                                               mesh::cluster::Vector what,
                                                               const mesh::cluster::Config& machine) {
  using mesh::cluster::picoseconds;
  return {nodes,
          {picoseconds(machine.wake), std::max<std::int64_t>(machine.card_step(what, elements), 1),
           picoseconds(machine.flight(static_cast<std::int64_t>(elements * bytes_of(what.type))))}};
}

/// The reductions.
extern const std::span<const ReduceRow> reductions;
/// Broadcasts from node 0, by hosts: sending costs a card of the model nothing, so it could not tell trees
/// apart. Vectors are of words of 4 bytes.
extern const std::span<const ReduceRow> broadcasts;

} // namespace algorithms::on_cards
