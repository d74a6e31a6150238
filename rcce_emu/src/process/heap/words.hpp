// SPDX-License-Identifier: Apache-2.0
// The word in front of each block of a heap: its size, what stands before it, whether it is in use, and a
// seal over all that and its place, by which a stray store is noticed.
#pragma once

#include <cstdint>

namespace rcce::heap::words {

using Unit = std::uint64_t;
using Word = std::uint64_t;

// bits 0..41 its size in units, 42..49 that of a free block in front, 50 in use, 51..63 the seal
inline constexpr unsigned before_shift = 42, seal_shift = 51;
inline constexpr Word size_mask = (Word{1} << before_shift) - 1;
inline constexpr Word in_use = Word{1} << 50;
/// In bits 42..49: a free block of this size or more.
inline constexpr Unit large = 255;

[[nodiscard]] constexpr Word sealed(Unit unit, Word word) noexcept {
  constexpr Word body = (Word{1} << seal_shift) - 1;
  const Word mixed = ((word & body) + unit * 0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93;
  return (word & body) | (mixed >> seal_shift << seal_shift);
}
[[nodiscard]] constexpr bool is_sealed(Unit unit, Word word) noexcept {
  return sealed(unit, word) == word;
}
[[nodiscard]] constexpr Unit units_of(Word word) noexcept {
  return word & size_mask;
}
[[nodiscard]] constexpr bool is_in_use(Word word) noexcept {
  return (word & in_use) != 0;
}
/// 0: the block in front is in use.
[[nodiscard]] constexpr Unit before(Word word) noexcept {
  return word >> before_shift & large;
}
[[nodiscard]] constexpr Word with_before(Unit unit, Word word, Unit units) noexcept {
  return sealed(unit, (word & ~(large << before_shift)) | (units < large ? units : large) << before_shift);
}
/// In front of a free block nothing is free.
[[nodiscard]] constexpr Word free_head(Unit unit, Unit units) noexcept {
  return sealed(unit, units);
}
[[nodiscard]] constexpr Word live_head(Unit unit, Unit units) noexcept {
  return sealed(unit, units | in_use);
}
/// That a block of so many units can hold: its last word is followed by the next block's head.
[[nodiscard]] constexpr std::uint64_t bytes_of(Unit units) noexcept {
  return units == 0 ? 0 : units * 16 - 8;
}

} // namespace rcce::heap::words
