// SPDX-License-Identifier: Apache-2.0
// How a message is cut into segments. Sender and receiver compute lengths from the segment's number, so none
// travels.
#pragma once

#include <algorithm>
#include <cstddef>

namespace algorithms {

/// Segments 0 .. segments()-1 of a message; all have `segment_bytes`, the last what is left. A message of 0
/// bytes has no segments.
struct Segmentation {
  std::size_t bytes;
  std::size_t segment_bytes; ///< > 0

  [[nodiscard]] constexpr int segments() const {
    return static_cast<int>(bytes / segment_bytes + (bytes % segment_bytes != 0 ? 1 : 0));
  }
  [[nodiscard]] constexpr std::size_t offset(int segment) const {
    return static_cast<std::size_t>(segment) * segment_bytes;
  }
  [[nodiscard]] constexpr std::size_t length(int segment) const {
    return std::min(segment_bytes, bytes - offset(segment));
  }
};

/// Schedules are written for root 0: the number that a rank has when the root is 0.
[[nodiscard]] constexpr int virtual_rank(int rank, int root, int ranks) {
  return (rank - root + ranks) % ranks;
}
/// And back.
[[nodiscard]] constexpr int real_rank(int v, int root, int ranks) {
  return (v + root) % ranks;
}

} // namespace algorithms
