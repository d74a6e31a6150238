// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/host_copy.hpp"

#include <cstdint>
#include <cstring>

namespace mesh {
namespace {

/// One by one in registers, because compilers keep an array of them in memory.
template <class Part>
[[gnu::always_inline]] inline void copy_two(std::byte* to, const std::byte* from) noexcept {
  Part a, b;
  std::memcpy(&a, from, sizeof a);
  std::memcpy(&b, from + sizeof a, sizeof b);
  std::memcpy(to, &a, sizeof a);
  std::memcpy(to + sizeof a, &b, sizeof b);
}

/// Downwards, so that no load follows a store whose address ends in the same twelve bits. Stores are aligned:
/// one that crosses a host line takes twice as long, a load that does so little more.
template <class Part>
[[gnu::always_inline]] inline void copy_part_by_part(std::byte* to, const std::byte* from,
                                                     std::size_t bytes) noexcept {
  constexpr std::size_t step = 2 * sizeof(Part);
  const std::size_t last = (reinterpret_cast<std::uintptr_t>(to) + bytes) % sizeof(Part);
  std::size_t left = bytes - last;
  std::memcpy(to + left, from + left, last);
  for (; left >= step; left -= step) copy_two<Part>(to + left - step, from + left - step);
  std::memcpy(to, from, left);
}

using Part16 [[gnu::vector_size(16)]] = std::uint64_t;
using Part32 [[gnu::vector_size(32)]] = std::uint64_t;

[[gnu::target("avx2")]] void copy_with_avx2(std::byte* to, const std::byte* from,
                                            std::size_t bytes) noexcept {
  copy_part_by_part<Part32>(to, from, bytes);
}

void copy_without_avx2(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  copy_part_by_part<Part16>(to, from, bytes);
}

} // namespace

void copy_downwards(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  static const auto copy = __builtin_cpu_supports("avx2") != 0 ? copy_with_avx2 : copy_without_avx2;
  copy(to, from, bytes);
}

} // namespace mesh
