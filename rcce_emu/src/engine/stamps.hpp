// SPDX-License-Identifier: Apache-2.0
// Simulated times kept beside the bytes of a message-passing buffer (MPB): since when each bit has had its
// value. A core that finds a flag set learns from here when that would have become visible on the chip.
//
// A stamp belongs to a change of value, not to a write: a line of flags is written as a whole where only one
// of them changes. The writer leaves the stamp before the value, so whoever has seen the value finds the
// stamp. Bulk copies leave one stamp per line, the rest one per bit; the later of the two counts.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "mesh_sim/parts/access.hpp"
#include "mesh_sim/units.hpp"

namespace rcce {

/// Names of an MPB and its stamps, which are somebody else's: first those of the bits, then those of the
/// lines.
class Stamps {
 public:
  using Picoseconds = mesh::Picoseconds;
  /// Stamps one behind the other, by number.
  struct Range {
    std::size_t first, count;
  };

  /// `stamps`: count(mpb_bytes) of them.
  Stamps(const std::byte* mpb, std::size_t mpb_bytes, Picoseconds* stamps) noexcept
      : mpb_(mpb), mpb_bytes_(mpb_bytes), stamps_(stamps) {}

  [[nodiscard]] static std::size_t count(std::size_t mpb_bytes) noexcept {
    return mpb_bytes * 8 + (mpb_bytes + mesh::line_bytes - 1) / mesh::line_bytes;
  }
  /// Those of the bits, and of the lines, of some bytes.
  [[nodiscard]] static Range bits(std::size_t offset, std::size_t bytes) noexcept {
    return {offset * 8, bytes * 8};
  }
  [[nodiscard]] static Range lines(std::size_t mpb_bytes, std::size_t offset, std::size_t bytes) noexcept {
    const std::size_t first = offset / mesh::line_bytes, last = (offset + bytes - 1) / mesh::line_bytes;
    return {mpb_bytes * 8 + first, last - first + 1};
  }

  /// Calls visit(number) for the stamp of each bit that is about to get another value by a store of these
  /// bytes, ...
  template <class Visit>
  void changed_by_store(std::size_t offset, const void* data, std::size_t bytes, Visit&& visit) const {
    const auto* next = static_cast<const std::uint8_t*>(data);
    for (std::size_t i = 0; i < bytes; ++i) changed(offset + i, present(offset + i) ^ next[i], visit);
  }
  /// ... or of those bits of one byte that are in the mask.
  template <class Visit>
  void changed_by_update(std::size_t offset, std::uint8_t mask, std::uint8_t value, Visit&& visit) const {
    changed(offset, (present(offset) ^ value) & mask, visit);
  }
  /// The bits of these bytes that a store changes are visible at `at`.
  void store(std::size_t offset, const void* data, std::size_t bytes, Picoseconds at) noexcept;
  void update(std::size_t offset, std::uint8_t mask, std::uint8_t value, Picoseconds at) noexcept;
  /// A copy of several lines.
  void put(std::size_t offset, std::size_t bytes, Picoseconds at) noexcept;

  /// Since when all of these bytes have had their values.
  [[nodiscard]] Picoseconds latest(std::size_t offset, std::size_t bytes) const noexcept;
  /// The same for lines of a bulk copy.
  [[nodiscard]] Picoseconds latest_line(std::size_t offset, std::size_t bytes) const noexcept;
  /// Since when a condition that holds has held.
  [[nodiscard]] Picoseconds held_since(std::size_t offset, const mesh::Condition& condition) const noexcept;

 private:
  template <class Visit>
  static void changed(std::size_t byte, unsigned bits, Visit& visit) {
    for (unsigned left = bits; left != 0; left &= left - 1)
      visit(byte * 8 + static_cast<unsigned>(std::countr_zero(left)));
  }
  [[nodiscard]] std::uint8_t present(std::size_t byte) const noexcept;
  [[nodiscard]] Picoseconds latest_of(Range range) const noexcept;

  const std::byte* mpb_;
  std::size_t mpb_bytes_;
  Picoseconds* stamps_;
};

} // namespace rcce
