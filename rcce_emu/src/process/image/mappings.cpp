// SPDX-License-Identifier: Apache-2.0
#include "process/image/mappings.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

namespace rcce::image {

int protection_of(const Elf64_Phdr& segment) noexcept {
  return ((segment.p_flags & PF_R) ? PROT_READ : 0) | ((segment.p_flags & PF_W) ? PROT_WRITE : 0) |
      ((segment.p_flags & PF_X) ? PROT_EXEC : 0);
}

std::vector<Mapping> mappings_of(const ImageFile& file) {
  std::vector<Mapping> mappings;
  for (const Elf64_Phdr& segment : file.segments()) {
    if (segment.p_filesz == 0) continue;
    const std::uint64_t begin = page_down(segment.p_vaddr);
    const Mapping next{begin, page_up(segment.p_vaddr + segment.p_filesz) - begin,
                       page_down(segment.p_offset), protection_of(segment)};
    if (!mappings.empty()) {
      Mapping& last = mappings.back();
      const bool writable = (last.protection | next.protection) & PROT_WRITE;
      if (!writable && next.address - last.address == next.file_offset - last.file_offset) {
        last.bytes = next.address + next.bytes - last.address;
        last.protection |= next.protection;
        continue;
      }
    }
    mappings.push_back(next);
  }
  return mappings;
}

int map_from(int descriptor, std::byte* base, const Mapping& mapping) noexcept {
  constexpr int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
  void* const mapped = mmap(base + mapping.address, mapping.bytes, mapping.protection, flags, descriptor,
                            static_cast<off_t>(mapping.file_offset));
  return mapped == MAP_FAILED ? errno : 0;
}

int fill_from(int descriptor, std::byte* base, const Mapping& mapping) noexcept {
  std::byte* const begin = base + mapping.address;
  std::size_t filled = 0;
  while (filled < mapping.bytes) {
    const ssize_t some = pread(descriptor, begin + filled, mapping.bytes - filled,
                               static_cast<off_t>(mapping.file_offset + filled));
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) return errno;
    if (some == 0) break; // behind the file's end a mapping is zero
    filled += static_cast<std::size_t>(some);
  }
  std::fill(begin + filled, begin + mapping.bytes, std::byte{0});
  return 0;
}

} // namespace rcce::image
