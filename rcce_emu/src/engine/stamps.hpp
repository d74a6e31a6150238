// SPDX-License-Identifier: Apache-2.0
// Simulated times kept beside the bytes of message-passing buffers (MPBs): since when each bit has had its
// value. A thread that finds a flag set learns from here when that would have become visible on the chip.
//
// A stamp belongs to a change of value, not to a write: a line of flags is written as a whole where only one
// of them changes. The writer leaves the stamp before the value, so whoever has seen the value finds the
// stamp. Bulk copies leave one stamp per line, the rest one per bit; the later of the two counts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mesh_sim/parts/access.hpp"
#include "mesh_sim/parts/reservation.hpp"
#include "mesh_sim/units.hpp"

namespace rcce {

class Stamps {
 public:
  using Picoseconds = mesh::Picoseconds;

  /// For the buffers at `mpbs`, one after the other. Throws std::bad_alloc.
  Stamps(const std::byte* mpbs, int cores, std::size_t mpb_bytes);

  /// Bytes that are about to be stored; visible at `at`.
  void store(int target, std::size_t offset, const void* data, std::size_t bytes, Picoseconds at) noexcept;
  /// The bits of `mask` in one byte.
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value, Picoseconds at) noexcept;
  /// A copy of several lines.
  void put(int target, std::size_t offset, std::size_t bytes, Picoseconds at) noexcept;

  /// Since when all of these bytes have had their values.
  [[nodiscard]] Picoseconds latest(int source, std::size_t offset, std::size_t bytes) const noexcept;
  /// The same for lines of a bulk copy.
  [[nodiscard]] Picoseconds latest_line(int source, std::size_t offset, std::size_t bytes) const noexcept;
  /// Since when a condition that holds has held.
  [[nodiscard]] Picoseconds held_since(int source, std::size_t offset,
                                       const mesh::Condition& condition) const noexcept;

 private:
  [[nodiscard]] std::size_t place(int core, std::size_t offset) const noexcept {
    return static_cast<std::size_t>(core) * mpb_bytes_ + offset;
  }
  void stamp_bits(std::size_t byte, std::uint8_t bits, Picoseconds at) noexcept;
  [[nodiscard]] Picoseconds bit(std::size_t byte, unsigned number) const noexcept;
  [[nodiscard]] Picoseconds line_of(std::size_t byte) const noexcept;

  const std::byte* mpbs_;
  std::size_t mpb_bytes_;
  mesh::Reservation bits_, lines_;
};

} // namespace rcce
