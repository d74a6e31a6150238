// Quantities of the simulated machine. Simulated time is an integer number of picoseconds everywhere; a clock
// period that is no whole number of picoseconds (533 MHz) is kept as an exact fraction by Clock (clock.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace mesh {

using Picoseconds = std::int64_t;
using Cycles = std::int64_t;

inline constexpr Picoseconds picoseconds_per_microsecond = 1'000'000;
inline constexpr double seconds_per_picosecond = 1e-12;

/// Physical core number: 0 ... columns * rows * cores_per_tile - 1.
enum class CoreId : std::int32_t {};
/// Tile number: row * columns + column.
enum class TileId : std::int32_t {};

[[nodiscard]] constexpr int index(CoreId core) noexcept {
  return static_cast<int>(core);
}
[[nodiscard]] constexpr int index(TileId tile) noexcept {
  return static_cast<int>(tile);
}

/// Bytes of a cache line, of the write-combine buffer and of every transfer between core and mesh.
/// Source: Lankes, Reble, Clauss, Sinnen, "The Path to MetalSVM", 4th MARC Symposium 2011.
inline constexpr std::size_t line_bytes = 32;

} // namespace mesh
