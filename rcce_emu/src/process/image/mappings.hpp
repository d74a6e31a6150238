// SPDX-License-Identifier: Apache-2.0
// The stretches of a program's file that a copy of it maps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "process/image/file.hpp"

namespace rcce::image {

inline constexpr std::uint64_t page_bytes = 4096;

[[nodiscard]] constexpr std::uint64_t page_down(std::uint64_t address) noexcept {
  return address / page_bytes * page_bytes;
}
[[nodiscard]] constexpr std::uint64_t page_up(std::uint64_t address) noexcept {
  return page_down(address + page_bytes - 1);
}

/// Whole pages, by virtual address relative to the base of a copy.
struct Mapping {
  std::uint64_t address, bytes, file_offset;
  int protection; ///< as mmap() takes it
};

[[nodiscard]] int protection_of(const Elf64_Phdr& segment) noexcept;

/// Neighbours that continue each other in the file become one mapping, since the host limits their number
/// (65,530); constants are then executable like the code beside them.
[[nodiscard]] std::vector<Mapping> mappings_of(const ImageFile& file);

/// Maps the stretch of a file that holds the program's contents into the copy at `base`, in the place of what
/// is there. Returns 0, or the host's error.
[[nodiscard]] int map_from(int descriptor, std::byte* base, const Mapping& mapping) noexcept;

/// Writes the file's bytes over a writable stretch that has been mapped, as if it were mapped anew. Returns
/// 0, or the host's error.
[[nodiscard]] int fill_from(int descriptor, std::byte* base, const Mapping& mapping) noexcept;

} // namespace rcce::image
