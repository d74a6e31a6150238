// SPDX-License-Identifier: Apache-2.0
// Which lines a cache of limited size holds: tags only, least recently used out first. Lines that others'
// writes have taken away stay as stale tags and are the first to be replaced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mesh::coherent {

class TagCache {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// A cache of `bytes`, in as many whole sets as that holds: caches of 12 or 30 MB, which chips have, keep
  /// their size. A line is in the set of its number modulo the sets.
  TagCache(std::size_t bytes, int ways);

  /// Marks a line as the latest used, if it is there.
  void touch(std::uint32_t line) noexcept;
  /// Puts a line in as the latest used. Returns the line that had to leave for it, or none; `stale(line)`
  /// says of a tag that its line has left already.
  template <class Stale>
  std::uint32_t insert(std::uint32_t line, Stale stale) {
    std::uint32_t* const set = set_of(line);
    std::size_t place = 0;
    while (place < ways_ && set[place] != line && set[place] != none) ++place;
    std::uint32_t victim = none;
    if (place == ways_) {
      for (place = 0; place < ways_ && !stale(set[place]);) ++place;
      if (place == ways_) victim = set[--place];
    }
    for (; place > 0; --place) set[place] = set[place - 1];
    set[0] = line;
    return victim;
  }

 private:
  [[nodiscard]] std::uint32_t* set_of(std::uint32_t line) noexcept {
    return tags_.data() + static_cast<std::size_t>(line % sets_) * ways_;
  }

  std::size_t ways_;
  std::uint32_t sets_;
  std::vector<std::uint32_t> tags_; ///< by set, the latest used first
};

} // namespace mesh::coherent
