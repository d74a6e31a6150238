// Predicted time of a collective in closed form, from costs per line and per message: what `auto` decides by
// and what `rccebench compare` prints beside the simulated time. Pure arithmetic, used on the host and inside
// programs.
#pragma once

#include <cstddef>
#include <limits>

namespace algorithms {

/// Clocks and shape of the machine that a prediction is for. The costs themselves are core, mesh and DRAM
/// cycles of the parameter set in mesh_sim's machine file.
struct Platform {
  double core_mhz = 533;
  double mesh_mhz = 800;
  double dram_mhz = 800;
  int columns = 6, rows = 4, cores_per_tile = 2;
  std::size_t mpb_bytes = 8192;
  bool plain_copies = false; ///< RCCE 1.0's word-wise copies in RCCE_send and RCCE_recv
  bool rcce_10 = false;      ///< its flags of a whole line, its software costs
};

/// One collective operation.
struct Call {
  int ues = 48;
  int root = 0;
  std::size_t bytes = 0;
  std::size_t part_bytes = 0; ///< 0: the algorithm's default
  std::size_t pipe_bytes = 0;
  int fan_out = 0;
  int stages = 0;
  /// A prediction that has found that it will be above this may stop and return what it has, which is above.
  double at_most_us = std::numeric_limits<double>::infinity();
};

} // namespace algorithms
