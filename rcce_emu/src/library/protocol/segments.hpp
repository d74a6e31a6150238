// SPDX-License-Identifier: Apache-2.0
// How a message is cut into segments, each of which passes through the sender's MPB by a hand-shake of its
// own: full chunks, then the whole lines of the rest, then its last 1 to 31 bytes in a padded line.
// Observable: the number of segments decides what happens when sender and receiver disagree about the size.
#pragma once

#include <cstddef>

#include "mesh_sim/units.hpp"

namespace rcce::protocol {

struct Segment {
  std::size_t offset, bytes;
  [[nodiscard]] constexpr std::size_t end() const noexcept { return offset + bytes; }
};

/// The segment of `size` bytes that begins at `offset`, where another one ends or at 0; without bytes behind
/// the last one. `chunk` is a positive multiple of a line.
[[nodiscard]] constexpr Segment segment_at(std::size_t offset, std::size_t size, std::size_t chunk) noexcept {
  const std::size_t left = size - offset;
  const std::size_t bytes = left >= chunk ? chunk
      : left >= mesh::line_bytes          ? left / mesh::line_bytes * mesh::line_bytes
                                          : left;
  return {offset, bytes};
}

} // namespace rcce::protocol
