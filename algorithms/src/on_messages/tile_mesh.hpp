// SPDX-License-Identifier: Apache-2.0
// The mesh that the program runs on.
#pragma once

#include <RCCE.h>

#include "algorithms/shapes/tile_mesh.hpp"

namespace algorithms {

inline TileMesh tile_mesh() {
  int columns = 0, rows = 0, cores_per_tile = 0;
  rcce_mesh(&columns, &rows, &cores_per_tile);
  return {columns, cores_per_tile};
}

} // namespace algorithms
