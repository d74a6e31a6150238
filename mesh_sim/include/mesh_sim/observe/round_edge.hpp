// SPDX-License-Identifier: Apache-2.0
// One step of an operation, as rounds.hpp finds it.
#pragma once

#include <cstddef>

#include "mesh_sim/units.hpp"

namespace mesh {

struct RoundEdge {
  int round = 1; ///< from 1 on
  int from = -1, to = -1;
  bool data = false;
  std::size_t bytes = 0; ///< bytes of data
  /// From the write, or the beginning of the message at its sender, until the receiver has it.
  Picoseconds begin = 0, end = 0;
};

} // namespace mesh
