// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/contents.hpp"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace rcce::explore {
namespace {

constexpr std::size_t page_bytes = 4096;

/// /proc/self/pagemap: a word for each page, with a bit where it is in memory and one where it is swapped
/// out.
constexpr std::uint64_t page_exists = std::uint64_t{3} << 62;

/// One word for each page of the range; all of them set where the system does not tell.
std::vector<std::uint64_t> page_words(std::uintptr_t first, std::size_t pages) {
  std::vector<std::uint64_t> words(pages, page_exists);
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file < 0) return words;
  std::vector<std::uint64_t> told(pages);
  const std::size_t wanted = pages * sizeof told[0];
  if (pread(file, told.data(), wanted, static_cast<off_t>(first / page_bytes * sizeof told[0])) ==
      static_cast<ssize_t>(wanted))
    words = std::move(told);
  close(file);
  return words;
}

} // namespace

std::uint64_t contents_hash(const std::byte* memory, std::size_t bytes) {
  constexpr std::uint64_t start = 0xcbf29ce484222325, factor = 0x9fb21c651e98df25;
  if (bytes == 0) return start;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory), first = begin / page_bytes * page_bytes;
  const std::vector<std::uint64_t> words = page_words(first, (begin + bytes - first - 1) / page_bytes + 1);
  std::uint64_t hash = start;
  for (std::size_t page = 0; page < words.size(); ++page) {
    if ((words[page] & page_exists) == 0) continue;
    const std::uintptr_t from = std::max(begin, first + page * page_bytes),
                         to = std::min(begin + bytes, first + (page + 1) * page_bytes);
    const std::byte* const data = memory + (from - begin);
    for (std::size_t i = 0; i + sizeof(std::uint64_t) <= to - from; i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, data + i, sizeof word);
      if (word == 0) continue;
      const std::uint64_t position = from - begin + i;
      hash = (hash ^ word ^ position << 20) * factor;
      hash ^= hash >> 32;
    }
  }
  return hash;
}

} // namespace rcce::explore
