// SPDX-License-Identifier: Apache-2.0
// The processors of a cluster's hosts: daemons take them, and a host sleeps through a message.
#pragma once

#include <optional>
#include <vector>

#include "mesh_sim/machines/cluster/noise.hpp"

namespace mesh::cluster {

class Hosts {
 public:
  /// Hosts of nodes that have so many processes each; nothing disturbs them.
  Hosts(int nodes, int processes);

  /// Noise from now on; `receives` as LateReceives has them. `config` outlives this object.
  void disturb(const Config& config, std::vector<int> receives, std::uint64_t seed);

  /// When work that is there at `at` is done. A host does nothing while a process of it is out.
  [[nodiscard]] Picoseconds works(int node, Picoseconds at, Picoseconds duration);
  /// The delay of the host's next receive; `received` counts them.
  [[nodiscard]] Picoseconds late(int node, std::int32_t& received) const;
  /// Before a repetition: outages that are over by `before` are forgotten.
  void begin(std::int64_t repetition, Picoseconds before);
  /// True if a repetition that would take `length` from `now` on undisturbed may take another time.
  [[nodiscard]] bool disturbs(std::int64_t repetition, Picoseconds now, Picoseconds length);
  /// The delays of a repetition, without those of the one before.
  void load_late(std::int64_t repetition);

 private:
  void load_outages(Picoseconds until);
  [[nodiscard]] static std::size_t index(int node) noexcept { return static_cast<std::size_t>(node); }

  int processes_;
  std::optional<Daemons> daemons_;
  std::vector<std::vector<Outage>> outages_; ///< felt ones, by node
  std::vector<int> disturbed_nodes_;
  Picoseconds last_outage_end_ = -1;
  std::optional<LateReceives> late_receives_;
  std::vector<std::vector<LateReceives::Late>> late_; ///< late receives of this repetition, by node
  std::vector<int> late_nodes_;
};

} // namespace mesh::cluster
