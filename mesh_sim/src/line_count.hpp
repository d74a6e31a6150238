// Small arithmetic that costs and machine share.
#pragma once

#include <cmath>
#include <cstddef>

#include "mesh_sim/units.hpp"

namespace mesh {

constexpr std::size_t lines_of(std::size_t bytes) {
  return (bytes + line_bytes - 1) / line_bytes;
}

/// Of a clock, in picoseconds.
inline Picoseconds period(double mhz) {
  return std::llround(1e6 / mhz);
}

} // namespace mesh
