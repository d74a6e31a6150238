// SPDX-License-Identifier: Apache-2.0
// What orders UEs by way of message-passing buffers: bits that are written by stores and seen by looks
// (flags). Each store remembers what whoever sees its values learns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "mesh_sim/units.hpp"
#include "watch/check/clocks.hpp"

namespace rcce::check {

/// For a look that takes whole bytes of a line.
inline constexpr std::array<std::uint8_t, mesh::line_bytes> all_bits = [] {
  std::array<std::uint8_t, mesh::line_bytes> masks{};
  masks.fill(0xff);
  return masks;
}();

/// Mask of the bytes [first, last) of a line.
[[nodiscard]] constexpr std::uint32_t byte_mask(std::size_t first, std::size_t last) {
  const std::uint64_t all = (std::uint64_t{1} << (last - first)) - 1;
  return static_cast<std::uint32_t>(all << first);
}

class Signals {
 public:
  /// Replaces the bits of `mask` in each of the bytes, which are of one line, by those of `values`.
  void write(std::size_t place, std::span<const std::byte> values, std::uint8_t mask, const Snapshot& known);
  /// Somebody sees these bits: acquires what the writers of these values knew. False if a bit is set that no
  /// store has left there.
  bool read(std::size_t place, std::span<const std::byte> values, std::span<const std::uint8_t> masks,
            Clocks& clocks, int ue) const;

 private:
  static constexpr std::size_t words = mesh::line_bytes / sizeof(std::uint64_t);
  using Bits = std::array<std::uint64_t, words>; ///< the bits of a line

  /// A bit that does not show the value of the last store yet, which is still on its way, has that of the one
  /// before.
  struct Store {
    Snapshot known;
    Bits mask;
    Bits values;
  };
  std::unordered_map<std::size_t, std::vector<Store>> lines_; ///< the oldest store first; never walked
};

} // namespace rcce::check
