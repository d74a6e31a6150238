// SPDX-License-Identifier: Apache-2.0
// Which bytes of message-passing buffers (MPBs) may lie in a core's first-level cache, and which of those
// others have written since: a core that reads such a byte before it drops its MPB lines gets the old one on
// the chip. Every access through the library drops them first, so only the program's own loads can do that.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "check/findings.hpp"

namespace rcce::check {

class CachedLines {
 public:
  explicit CachedLines(int ues) : of_(static_cast<std::size_t>(ues)) {}

  struct Stale {
    Side written;
    Side cached; ///< the access that brought the line
  };

  void dropped(int ue) { of_[static_cast<std::size_t>(ue)].clear(); }
  /// The UE has read these bytes: the lines around them are in its cache.
  void read(int ue, int core, std::size_t offset, std::size_t bytes, const Side& side);
  /// A UE has written these bytes: the others' copies of them are old.
  void written(int ue, int core, std::size_t offset, std::size_t bytes, const Side& side);
  /// Is one of these bytes an old one in the UE's cache?
  [[nodiscard]] std::optional<Stale> stale(int ue, int core, std::size_t offset, std::size_t bytes) const;

 private:
  struct Range {
    std::size_t begin, end;
    [[nodiscard]] bool meets(std::size_t first, std::size_t last) const {
      return begin < last && first < end;
    }
  };
  struct Overwritten {
    Range bytes;
    Side by;
  };
  struct Cached {
    int core;
    Range lines;
    Side by;
    std::vector<Overwritten> overwritten;
  };
  std::vector<std::vector<Cached>> of_; ///< by UE
};

} // namespace rcce::check
