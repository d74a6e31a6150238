// SPDX-License-Identifier: Apache-2.0
// Loads and stores of the program's own code, and what is known of the caches that they meet.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "mesh_sim/units.hpp"

namespace mesh {

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
  /// The program tells of accesses to others only (rcce_emu/src/front/compiler/count_accesses.cpp).
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
