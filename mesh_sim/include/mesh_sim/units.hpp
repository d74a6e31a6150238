// SPDX-License-Identifier: Apache-2.0
// Quantities of the simulated machine. Simulated time is an integer number of picoseconds everywhere.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace mesh {

using Picoseconds = std::int64_t;
using Cycles = std::int64_t;

inline constexpr Picoseconds picoseconds_per_microsecond = 1'000'000;
inline constexpr double seconds_per_picosecond = 1e-12;
[[nodiscard]] constexpr double microseconds(Picoseconds time) noexcept {
  return static_cast<double>(time) / picoseconds_per_microsecond;
}

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

[[nodiscard]] constexpr std::size_t lines_of(std::size_t bytes) noexcept {
  return (bytes + line_bytes - 1) / line_bytes;
}
/// True if an access of at least one byte stays in the line in which it begins.
[[nodiscard]] constexpr bool in_one_line(std::size_t offset, std::size_t bytes) noexcept {
  return offset / line_bytes == (offset + bytes - 1) / line_bytes;
}

/// The period of a clock, to the nearest picosecond.
[[nodiscard]] inline Picoseconds period(double mhz) noexcept {
  return std::llround(1e6 / mhz);
}

/// Coordinates of a router.
struct Coordinates {
  int x = 0, y = 0;
  friend bool operator==(const Coordinates&, const Coordinates&) = default;
};

/// A link between two routers, by their numbers.
struct JoinedRouters {
  int one = 0, other = 0;
  bool one_way = false; ///< from one to the other alone
  Cycles cycles = 0;    ///< mesh cycles from router to router; 0: as all that say nothing
  int bytes = 0;        ///< width: the payload of one flit; 0: likewise
  friend bool operator==(const JoinedRouters&, const JoinedRouters&) = default;
};

} // namespace mesh
