// SPDX-License-Identifier: Apache-2.0
// Seeded delays: how much later than usual a core starts and sets out for each of its accesses. A pure
// function of seed, core and number of the access, the same on every host.
//
// Races differ in the width of their window by orders of magnitude, so in each run every core has a scale of
// its own: one in four is not held back at all, the others by up to 16 ns ... 524 us, and one access in 32 by
// sixteen times that.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh_sim/units.hpp"

namespace mesh {

class Jitter {
 public:
  /// Seed 0: no delays.
  Jitter(std::uint64_t seed, int cores);

  [[nodiscard]] Picoseconds start(int core) const noexcept;
  [[nodiscard]] Picoseconds access(int core, std::uint64_t number) const noexcept;

 private:
  [[nodiscard]] std::uint64_t random(int core, std::uint64_t number) const noexcept;

  std::uint64_t seed_;
  std::vector<Picoseconds> scales_; ///< by core; 0: not held back
};

} // namespace mesh
