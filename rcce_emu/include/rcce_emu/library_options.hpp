// SPDX-License-Identifier: Apache-2.0
// The options of a job that the library of each UE goes by (job_options.hpp has all).
#pragma once

#include <cstdint>
#include <string>

#include "mesh_sim/units.hpp"
#include "rcce_emu/costs.hpp"

namespace rcce {

using mesh::Picoseconds;

enum class ComputeModel : std::uint8_t {
  none,   ///< code between library calls takes no simulated time
  blocks, ///< it takes the cycles of its basic blocks on the chip's core, which it counts
  cache,  ///< the same, and the time of its loads and stores that miss the first-level cache
  host,   ///< it takes the host thread's time times `compute_scale`; not deterministic
};

/// True if the program's own code takes the cycles that it counts.
[[nodiscard]] constexpr bool counts(ComputeModel model) noexcept {
  return model == ComputeModel::blocks || model == ComputeModel::cache;
}

/// The library of each UE.
struct LibraryOptions {
  SoftwareCosts costs;
  /// Algorithms of the program's collective operations: "auto", or names
  /// ("bcast/mcast,reduce/f_nomial:degree=4"); empty: those of the library.
  std::string collectives;
  bool free_barriers = false; ///< RCCE_barrier costs nothing; sim engine only
  ComputeModel compute = ComputeModel::none;
  double compute_scale = 1.0;
  /// Average time of the program's loads and stores beside a million cycles of its own code, as another run
  /// has measured it (rccerun --memory-profile). For ComputeModel::blocks.
  Picoseconds memory_per_million_cycles = 0;
};

} // namespace rcce
