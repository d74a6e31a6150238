// SPDX-License-Identifier: Apache-2.0
// The costs of a machine in picoseconds, worked out once: latencies by (operation, state, place), places by
// pairs of nodes, crossings between sockets. Knows nothing of lines or time.
#pragma once

#include <array>
#include <vector>

#include "mesh_sim/machines/coherent/config.hpp"
#include "mesh_sim/units.hpp"

namespace mesh::coherent {

class Costs {
 public:
  explicit Costs(const Config& config);

  /// End to end on an idle machine: what the published tables have.
  [[nodiscard]] Picoseconds latency(Operation operation, State state, int place) const noexcept {
    return latency_[static_cast<std::size_t>(operation)][static_cast<std::size_t>(state)]
                   [static_cast<std::size_t>(place)];
  }
  [[nodiscard]] int place(int from_node, int to_node) const noexcept {
    return places_[static_cast<std::size_t>(from_node * nodes_ + to_node)];
  }
  /// The cost of a transfer in which a third node, the line's home, takes part. It comes on top of the
  /// latency of a line that its home holds.
  [[nodiscard]] Picoseconds detour(int requester, int home, int source) const noexcept {
    if (!has_detours_ || (requester == source && !broadcasts)) return 0;
    Picoseconds cost = leg_ * (crosses(requester, home) + crosses(home, source) - crosses(requester, source));
    if (crosses(requester, source) != 0 && requester != home) cost += home_penalty_;
    return cost;
  }
  [[nodiscard]] Picoseconds hit(Operation operation) const noexcept {
    return operation == Operation::load ? hit_load : operation == Operation::store ? hit_store : hit_atomic;
  }
  [[nodiscard]] int node(int core) const noexcept { return core / cores_per_node_; }
  [[nodiscard]] int nodes() const noexcept { return nodes_; }
  [[nodiscard]] Picoseconds cycles(double cycles) const noexcept { return std::llround(cycles * period_); }

  Picoseconds hit_load, hit_store, hit_atomic, hit_line, sibling, shared_hit;
  Picoseconds read_occupancy, poll_gap, pause, invalidation;
  Picoseconds memory_read, memory_write, link; ///< slot of one line; 0: never waited for
  Picoseconds futex_sleep, futex_wake, futex_turnaround;
  double hold, misses;
  double scan_misses;  ///< loads of a scan that a core has in flight
  double busy_sibling; ///< computation takes so many times longer beside other threads of the core
  bool owned, serial_reads, broadcasts;

 private:
  [[nodiscard]] int crosses(int a, int b) const noexcept {
    return a / nodes_per_socket_ != b / nodes_per_socket_ ? 1 : 0;
  }

  double period_; ///< picoseconds of a cycle
  int nodes_, cores_per_node_, nodes_per_socket_;
  Picoseconds leg_, home_penalty_;
  bool has_detours_;
  std::array<std::array<std::array<Picoseconds, most_places>, states>, operations> latency_{};
  std::vector<int> places_;
};

} // namespace mesh::coherent
