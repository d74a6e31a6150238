// SPDX-License-Identifier: Apache-2.0
// Do the host's copies move every byte, and no other, wherever buffers lie?
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/parts/host_copy.hpp"

namespace {

constexpr std::size_t page = 4096;
constexpr std::byte poison{0xa5};

std::byte pattern(std::size_t i) {
  return static_cast<std::byte>(i * 7 + i / 251);
}

/// Target `behind` bytes after the source, within the page.
using Copy = void (*)(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;
constexpr std::array<Copy, 2> copies{mesh::copy_bytes, mesh::copy_cached};

void copy_and_compare(Copy copy, std::size_t bytes, std::size_t source_at, std::size_t behind) {
  std::vector<std::byte> space(12 * page, poison);
  std::byte* const start =
      space.data() + (page - reinterpret_cast<std::uintptr_t>(space.data()) % page) % page;
  std::byte* const source = start + source_at;
  std::byte* const target = start + 5 * page + source_at + behind;
  for (std::size_t i = 0; i < bytes; ++i) source[i] = pattern(i);
  copy(target, source, bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    if (target[i] != pattern(i) || source[i] != pattern(i)) FAIL("byte " << i);
  }
  for (std::size_t i = 1; i <= page / 8; ++i) {
    if (target[-static_cast<std::ptrdiff_t>(i)] != poison) FAIL("byte " << i << " before the target");
    if (target[bytes + i - 1] != poison) FAIL("byte " << i << " after the target");
  }
}

} // namespace

TEST_CASE("copies move all bytes and no other") {
  for (const std::size_t bytes : {1, 31, 32, 64, 2047, 2048, 2049, 2080, 2111, 4096, 7680, 8192}) {
    for (const std::size_t source_at : {0, 1, 32}) {
      for (std::size_t behind = 0; behind <= 70; ++behind) {
        CAPTURE(bytes, source_at, behind);
        for (const Copy copy : copies) copy_and_compare(copy, bytes, source_at, behind);
      }
    }
  }
}

TEST_CASE("overlapping copies are those of memmove") {
  for (const std::size_t bytes : {2048, 2100, 8192}) {
    for (const int distance : {-4096, -2048, -33, -1, 0, 1, 16, 63, 64, 2048, 4096}) {
      CAPTURE(bytes, distance);
      for (const Copy copy : copies) {
        std::vector<std::byte> space(6 * page, poison);
        std::byte* const source = space.data() + 2 * page;
        std::byte* const target = source + distance;
        for (std::size_t i = 0; i < bytes; ++i) source[i] = pattern(i);
        copy(target, source, bytes);
        for (std::size_t i = 0; i < bytes; ++i) {
          if (target[i] != pattern(i)) FAIL("byte " << i);
        }
      }
    }
  }
}
