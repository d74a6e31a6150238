// SPDX-License-Identifier: Apache-2.0
#include "check/lines.hpp"

namespace rcce::check {

namespace {

/// Whether two stores leave different values in some of these bytes.
bool differ(const Access& a, const Access& b, std::uint32_t bytes) {
  for (std::size_t i = 0; i < mesh::line_bytes; ++i)
    if ((bytes >> i & 1) != 0 && ((a.values[i] ^ b.values[i]) & a.bits[i] & b.bits[i]) != 0) return true;
  return false;
}

/// Whether it matters which of the two comes first in the bytes that they have in common.
bool conflicting(const Access& a, const Access& b, std::uint32_t common) {
  if (common == 0 || !(a.write || b.write)) return false;
  if (a.single && b.single) return a.write && b.write && differ(a, b, common);
  return !(a.silent && !b.write) && !(b.silent && !a.write);
}

} // namespace

std::optional<Lines::Conflict> Lines::note(int core, std::size_t number, const Access& access,
                                           const Side& side, const Clocks& clocks) {
  Line& line = at(core, number);
  std::optional<Conflict> found;
  Record* same = nullptr;
  for (Record& record : line.accesses) {
    const Access& before = record.access;
    if (before.ue == access.ue) {
      if (before.write == access.write && before.single == access.single && before.silent == access.silent &&
          before.epoch == access.epoch)
        same = &record;
      continue;
    }
    const std::uint32_t common = before.mask & access.mask;
    if (!conflicting(before, access, common)) continue;
    if (!found && !clocks.ordered(before.ue, before.epoch, access.ue))
      found = Conflict{record.side, before.write, common};
  }
  if (access.write && !access.single) line.copied |= access.mask;
  if (same != nullptr) {
    same->access.mask |= access.mask;
    for (std::size_t i = 0; i < mesh::line_bytes; ++i) {
      if ((access.mask >> i & 1) == 0) continue;
      same->access.values[i] = static_cast<std::uint8_t>((same->access.values[i] & ~access.bits[i]) |
                                                         (access.values[i] & access.bits[i]));
      same->access.bits[i] |= access.bits[i];
    }
    return found;
  }
  // What conflicts with an access that this one covers conflicts with this one too, if the two are ordered;
  // if they are not, that has just been told, or they are stores of which either may come first.
  for (Record& record : line.accesses) {
    Access& before = record.access;
    const bool own = before.ue == access.ue;
    const bool covers = access.write
        ? !access.single || (before.single && (own || clocks.ordered(before.ue, before.epoch, access.ue)))
        : own && !before.write && before.single == access.single;
    if (covers) before.mask &= ~access.mask;
  }
  std::erase_if(line.accesses, [](const Record& record) { return record.access.mask == 0; });
  line.accesses.push_back({access, side});
  return found;
}

} // namespace rcce::check
