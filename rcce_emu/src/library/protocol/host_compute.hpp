// SPDX-License-Identifier: Apache-2.0
// --compute host:SCALE: the program's own code takes the host thread's time times SCALE. Counted is the time
// between two public calls; a function of the program that the library calls (colours, comparisons) counts as
// part of the library.
#pragma once

#include "mesh_sim/units.hpp"

namespace rcce::protocol {

class HostCompute {
 public:
  /// `global_clock_hz`: the clock that the tiles' dividers divide.
  HostCompute(double scale, double global_clock_hz) noexcept
      : global_cycles_per_host_second_(scale * global_clock_hz) {}

  /// The program's own code begins or goes on.
  void begin() noexcept;
  /// It is interrupted by a public call. Returns the core cycles, at this tile clock divider, since the last
  /// call.
  [[nodiscard]] mesh::Cycles end(int tile_divider) noexcept;
  /// Other UEs run in between, without a public call of this one (a time query of the C library).
  void switched_away() noexcept;
  void switched_back() noexcept;

 private:
  void stop() noexcept;

  double global_cycles_per_host_second_;
  double begun_ = 0; ///< the thread's time in seconds
  double spent_ = 0; ///< not yet told by end(), in seconds
  bool running_ = false;
  bool away_ = false;
};

} // namespace rcce::protocol
