// SPDX-License-Identifier: Apache-2.0
// Where cores stand, for algorithms that choose ranks by their place on the chip.
#pragma once

namespace algorithms {

/// Tiles row by row; cores are numbered tile by tile.
struct TileMesh {
  int columns = 6;
  int cores_per_tile = 2;
};

} // namespace algorithms
