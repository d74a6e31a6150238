// SPDX-License-Identifier: Apache-2.0
// Words shared by everybody who accesses message-passing buffers (MPBs).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

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

/// Facts about the caches of one core, so that most accesses of the program's own need not look into them. By
/// set of the first-level cache, which is also the place in a page of all lines that meet there.
class KnownLines {
 public:
  static constexpr std::size_t sets = 128;

  /// The program's own table of `sets` words: the line that was used last, << 1; bit 0: it may be written.
  /// The program tells of accesses to others only (rcce_emu/src/compiler/count_accesses.cpp).
  void keep_in(unsigned long* table) noexcept { last_ = table; }

  /// True if the access changes nothing and takes no time.
  [[nodiscard]] bool has(std::uint64_t line, bool write) const noexcept {
    const unsigned long last = last_[line % sets];
    return (write ? last : last | 1) == (line << 1 | 1);
  }
  void is_used(std::uint64_t line, bool written) noexcept {
    last_[line % sets] = line << 1 | (written ? 1 : 0);
    some_ = true;
  }

  /// The time of a store to a line that is in no first-level cache, if no line of its set has been accessed
  /// since the last one; otherwise negative.
  [[nodiscard]] Picoseconds missed(std::uint64_t line) const noexcept {
    const Missed& one = missed_[line % sets];
    return one.line == line && one.generation == generation_ ? one.transfer : -1;
  }
  void is_missed(std::uint64_t line, Picoseconds transfer) noexcept {
    missed_[line % sets] = {line, generation_, transfer};
  }
  void is_accessed(std::uint64_t line) noexcept { missed_[line % sets].generation = 0; }

  /// The part of the last access()'s time that the second-level cache served.
  [[nodiscard]] Picoseconds l2_time() const noexcept { return l2_time_; }
  void note_l2_time(Picoseconds time) noexcept { l2_time_ = time; }

  /// The caches have changed.
  void forget() noexcept {
    ++generation_;
    if (std::exchange(some_, false)) std::fill_n(last_, sets, 0);
  }

 private:
  struct Missed {
    std::uint64_t line = 0, generation = 0;
    Picoseconds transfer = 0;
  };
  unsigned long* last_ = nullptr;
  bool some_ = false; ///< the table has some
  Picoseconds l2_time_ = 0;
  std::uint64_t generation_ = 1;
  std::array<Missed, sets> missed_;
};

} // namespace mesh
