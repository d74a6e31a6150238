// SPDX-License-Identifier: Apache-2.0
// Words shared by everybody who accesses message-passing buffers (MPBs).
#pragma once

#include <cstddef>
#include <cstdint>

#include "mesh_sim/units.hpp"

namespace mesh {

/// What a copy between private memory and an MPB is made of; decides what each line costs.
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

/// A wanted order: access `access` of `core`, counted from 0 in the order of its program, waits for access
/// `other_access` of `other`.
struct Hold {
  int core = -1;
  std::uint64_t access = 0;
  int other = -1;
  std::uint64_t other_access = 0;
  bool operator==(const Hold&) const = default;
};

/// A load or store of the program's own in a loop: where it is in the first round, and how far on in each
/// further one. Loads that lie within one line's length of each other are one. The program fills these in:
/// their layout is that of image.h.
struct AccessStream {
  const std::byte* address;
  std::int64_t step; ///< bytes
  std::uint32_t bytes;
  std::uint32_t how; ///< bit 0: a store; above: for so many core cycles the core works until the next one
  [[nodiscard]] bool writes() const noexcept { return (how & 1) != 0; }
};

/// What loads and stores of the program's own take beyond hits in the first-level cache.
struct MemoryAccess {
  Picoseconds time = 0;
  bool near = true; ///< its line is in the first-level cache now
};

} // namespace mesh
