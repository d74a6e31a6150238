// SPDX-License-Identifier: Apache-2.0
// Eight words of 16 bits, a lane each, that are worked on at once: what the caches' tags are looked up with.
// A comparison gives a mask: all ones or zero in each lane.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <emmintrin.h>

#include "mesh_sim/parts/cache.hpp"

namespace mesh {

constexpr std::uint16_t ones = 0xffff;
constexpr int words_at_once = 8;

inline EightWords load(const std::uint16_t* from) noexcept {
  EightWords v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store(std::uint16_t* to, EightWords v) noexcept {
  std::memcpy(to, &v, sizeof v);
}

inline EightWords all(std::uint16_t word) noexcept {
  return EightWords{} + word;
}
inline EightWords equal(EightWords a, EightWords b) noexcept {
  return reinterpret_cast<EightWords>(a == b);
}
inline EightWords choose(EightWords mask, EightWords then, EightWords otherwise) noexcept {
  return (mask & then) | (~mask & otherwise);
}
/// For masks, whose lanes are all ones or zero: two bits for each lane with all ones.
inline unsigned bits_of(EightWords v) noexcept {
  return static_cast<unsigned>(_mm_movemask_epi8(reinterpret_cast<__m128i>(v)));
}
inline bool any(EightWords v) noexcept {
  return bits_of(v) != 0;
}

/// All ones in the lanes before `to`, a number from -144 to 144.
inline EightWords lanes_before(int to) noexcept {
  constexpr int most = Cache::longest_run + 2 * words_at_once;
  static constexpr auto window = [] {
    std::array<std::uint16_t, 2 * most + words_at_once> words{};
    std::fill_n(words.begin(), most, ones);
    return words;
  }();
  return load(window.data() + (most - to));
}
inline EightWords lanes_between(int from, int to) noexcept {
  return lanes_before(to) & ~lanes_before(from);
}

/// Sum of lanes that are small numbers.
inline unsigned sum(EightWords v) noexcept {
  std::uint64_t half[2];
  std::memcpy(half, &v, sizeof v);
  return static_cast<unsigned>(((half[0] + half[1]) * 0x0001000100010001u) >> 48);
}

/// Calls act(lane) for each lane with all ones.
template <class Do>
inline void for_lanes(EightWords v, Do&& act) noexcept {
  for (unsigned bits = bits_of(v); bits != 0; bits &= bits - 1, bits &= bits - 1)
    act(static_cast<unsigned>(std::countr_zero(bits)) / 2);
}

} // namespace mesh
