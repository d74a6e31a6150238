// SPDX-License-Identifier: Apache-2.0
#include "check/cached_lines.hpp"

#include <algorithm>

#include "mesh_sim/units.hpp"

namespace rcce::check {

using mesh::line_bytes;

void CachedLines::read(int ue, int core, std::size_t offset, std::size_t bytes, const Side& side) {
  std::vector<Cached>& own = of_[static_cast<std::size_t>(ue)];
  const std::size_t end = (offset + bytes + line_bytes - 1) / line_bytes * line_bytes;
  // Lines that are there stay as they are; each is looked at by itself, and brought once.
  for (std::size_t line = offset / line_bytes * line_bytes; line < end; line += line_bytes) {
    const bool there = std::ranges::any_of(own, [&](const Cached& cached) {
      return cached.core == core && cached.lines.meets(line, line + line_bytes);
    });
    if (there) continue;
    if (!own.empty() && own.back().core == core && own.back().lines.end == line &&
        own.back().overwritten.empty() && own.back().by.at == side.at)
      own.back().lines.end = line + line_bytes;
    else
      own.push_back({core, {line, line + line_bytes}, side, {}});
  }
}

void CachedLines::written(int ue, int core, std::size_t offset, std::size_t bytes, const Side& side) {
  for (std::size_t other = 0; other < of_.size(); ++other) {
    if (other == static_cast<std::size_t>(ue)) continue;
    for (Cached& cached : of_[other]) {
      if (cached.core != core || !cached.lines.meets(offset, offset + bytes)) continue;
      const Range bytes_of{std::max(offset, cached.lines.begin), std::min(offset + bytes, cached.lines.end)};
      const bool known = std::ranges::any_of(cached.overwritten, [&](const Overwritten& before) {
        return before.bytes.begin <= bytes_of.begin && bytes_of.end <= before.bytes.end;
      });
      if (!known) cached.overwritten.push_back({bytes_of, side});
    }
  }
}

std::optional<CachedLines::Stale> CachedLines::stale(int ue, int core, std::size_t offset,
                                                     std::size_t bytes) const {
  for (const Cached& cached : of_[static_cast<std::size_t>(ue)]) {
    if (cached.core != core) continue;
    for (const Overwritten& one : cached.overwritten)
      if (one.bytes.meets(offset, offset + bytes)) return Stale{one.by, cached.by};
  }
  return std::nullopt;
}

} // namespace rcce::check
