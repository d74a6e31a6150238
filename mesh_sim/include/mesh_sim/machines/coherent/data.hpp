// SPDX-License-Identifier: Apache-2.0
// What a program of the simulated machine names: words and blocks at simulated addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

namespace mesh::coherent {

using Address = std::uint64_t;

/// Home of a line that nobody gives: by the machine's rule.
inline constexpr int unplaced = -1;

/// A word of 64 bits. Its address decides its line; several words may be closer than eight bytes apart, as a
/// program's bytes would be, and still be words of their own.
struct Word {
  Address address = 0;
  std::uint32_t slot = 0;
};

/// Bytes of a buffer. The machine owns the data, for as long as it lives.
struct Block {
  Address address = 0;
  std::byte* data = nullptr;
  std::size_t bytes = 0;

  [[nodiscard]] friend bool operator==(const Block&, const Block&) = default;
  /// Throws std::out_of_range where it goes beyond the block's end.
  [[nodiscard]] Block part(std::size_t offset, std::size_t length) const {
    if (length > 0 && (offset > bytes || length > bytes - offset))
      throw std::out_of_range("it takes a part of a block that goes beyond the block's end");
    return {address + offset, data + offset, length};
  }
  template <class T>
  [[nodiscard]] std::span<T> values() const noexcept {
    return {reinterpret_cast<T*>(data), bytes / sizeof(T)};
  }
};

} // namespace mesh::coherent
