// SPDX-License-Identifier: Apache-2.0
// Load over simulated time: how long each link, MPB port and memory controller is busy in each bin of it, and
// what each core does with the time: puts, gets, single accesses to flags, locks and counters, waits.
//
// A resource serves one packet at a time; packets of a core's own code, which has a share of the resource,
// are put one behind the other from its beginning on, behind what the resource has been told to serve before.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh_sim/observe/observer.hpp"
#include "mesh_sim/observe/time_bins.hpp"

namespace mesh {

class Topology;

class Load final : public Observer {
 public:
  /// A use of a core's time. The rest, until the core ends, is its own computation and the library's code.
  enum class Activity : std::uint8_t { put, get, access, wait };
  static constexpr int activities = 4;

  explicit Load(const Topology& topology, std::size_t bins = 128);

  [[nodiscard]] EventMask wants() const override {
    return EventMask::resources | EventMask::ends | EventMask::waits;
  }
  void served(const Service& service) override;
  void ended(const Access& access, Picoseconds begin) override;
  void wait_ends(const Wait& wait) override;
  void unfinished(const Unfinished& core) override;

  [[nodiscard]] const TimeBins& bins() const noexcept { return bins_; }
  /// Their rows.
  [[nodiscard]] std::size_t row_of(ResourceId resource) const noexcept;
  [[nodiscard]] std::size_t row_of(int core, Activity activity) const noexcept;

 private:
  std::size_t first_port_, first_controller_, first_core_; ///< rows
  TimeBins bins_;
  std::vector<Picoseconds> free_at_; ///< by row: until when a resource is busy
};

} // namespace mesh
