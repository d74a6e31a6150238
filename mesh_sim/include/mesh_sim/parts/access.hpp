// SPDX-License-Identifier: Apache-2.0
// Words shared by everybody who accesses message-passing buffers (MPBs).
#pragma once

#include <cstddef>
#include <cstdint>

#include "mesh_sim/units.hpp"

namespace mesh {

/// The kind of a copy between private memory and an MPB; decides the cost of each line.
enum class Copy : std::uint8_t {
  plain,       ///< the C library's memcpy: stores to lines in no cache are sent word by word (RCCE 1.0)
  prefetching, ///< reads one word of each destination line first (RCCE 2.0, iRCCE)
};

/// A condition on little-endian bytes of an MPB: (word of `bytes` bytes & mask) == value, or its opposite.
struct Condition {
  std::uint32_t mask = 0xff;
  std::uint32_t value = 0;
  std::uint8_t bytes = 1; ///< 1, 2 or 4
  bool unequal = false;   ///< holds where the word differs from the value

  [[nodiscard]] bool holds(std::uint32_t word) const noexcept { return ((word & mask) == value) != unequal; }
};

/// One look of a loop that waits for any of several words of one MPB and reads them in turn.
struct PollTarget {
  std::size_t offset = 0;
  Condition condition;
  Cycles overhead = 0; ///< core cycles beside the read
};

/// Pauses between the reads of a loop that spares what it reads: each twice as long as the one before.
struct Backoff {
  Cycles first = 0;
  Cycles last = 0; ///< the longest
};

} // namespace mesh
