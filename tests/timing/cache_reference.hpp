// SPDX-License-Identifier: Apache-2.0
// The caches as the machine means them, and as anybody would write them first: one list of lines per set,
// most recently used first, one line at a time. parts/cache.hpp is the fast form of this; it has to answer
// the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <vector>

class CacheReference {
 public:
  /// `kept`: sets, from the first on, of which one way holds what never leaves.
  CacheReference(unsigned sets, unsigned ways, unsigned kept) : ways_(ways), kept_(kept), sets_(sets) {}

  struct Line {
    std::uint64_t number; ///< address / line bytes
    bool modified;
    bool mpb;
  };

  /// True if the line hits; otherwise it is fetched, and `written_back` grows if a modified line leaves for
  /// it.
  bool read(std::uint64_t line, unsigned& written_back) {
    auto& set = sets_[line % sets_.size()];
    const auto found = find(set, line);
    if (found != set.end()) {
      set.splice(set.begin(), set, found);
      return true;
    }
    insert(set, {line, false, false}, written_back);
    return false;
  }
  /// True if the line hits, and is modified then. Absent lines stay absent (no write-allocate).
  bool write(std::uint64_t line) {
    auto& set = sets_[line % sets_.size()];
    const auto found = find(set, line);
    if (found == set.end()) return false;
    found->modified = true;
    set.splice(set.begin(), set, found);
    return true;
  }
  /// A line of the message-passing memory type: takes room and never hits.
  void read_mpb(std::uint64_t line) {
    unsigned ignored = 0;
    insert(sets_[line % sets_.size()], {0, false, true}, ignored);
  }
  void invalidate_mpb() {
    for (auto& set : sets_) set.remove_if([](const Line& line) { return line.mpb; });
  }

 private:
  static std::list<Line>::iterator find(std::list<Line>& set, std::uint64_t number) {
    return std::find_if(set.begin(), set.end(),
                        [&](const Line& line) { return !line.mpb && line.number == number; });
  }
  void insert(std::list<Line>& set, Line line, unsigned& written_back) {
    set.push_front(line);
    const auto number = static_cast<unsigned>(&set - sets_.data());
    if (set.size() <= ways_ - (number < kept_ ? 1 : 0)) return;
    written_back += set.back().modified ? 1 : 0;
    set.pop_back();
  }

  unsigned ways_, kept_;
  std::vector<std::list<Line>> sets_;
};
