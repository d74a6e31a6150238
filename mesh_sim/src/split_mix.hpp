// SPDX-License-Identifier: Apache-2.0
// Random numbers from numbers.
#pragma once

#include <cstdint>

namespace mesh {

/// Output function of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA
/// 2014); its constants are in the public domain.
[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t z) noexcept {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

} // namespace mesh
