// SPDX-License-Identifier: Apache-2.0
// How a message is cut into parts. Sender and receiver compute lengths from the part's number, so none
// travels.
#pragma once

#include <algorithm>
#include <cstddef>

namespace algorithms {

/// Parts 0 .. parts()-1 of a message; all have `part_bytes`, the last what is left. A message of 0 bytes has
/// no parts.
struct Segmentation {
  std::size_t bytes;
  std::size_t part_bytes; ///< > 0

  [[nodiscard]] constexpr int parts() const {
    return static_cast<int>(bytes / part_bytes + (bytes % part_bytes != 0 ? 1 : 0));
  }
  [[nodiscard]] constexpr std::size_t offset(int part) const {
    return static_cast<std::size_t>(part) * part_bytes;
  }
  [[nodiscard]] constexpr std::size_t length(int part) const {
    return std::min(part_bytes, bytes - offset(part));
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
