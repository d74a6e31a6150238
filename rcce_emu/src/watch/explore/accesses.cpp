// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/accesses.hpp"

#include <algorithm>

#include "mesh_sim/units.hpp"

namespace rcce::explore {
namespace {

constexpr auto line_bytes = static_cast<std::uint32_t>(mesh::line_bytes);

/// Words whose bits count are no longer.
constexpr std::uint32_t word_bytes = 4;

enum class Space : std::uint64_t { buffer, lock, counter };

AccessedLine place(Space space, std::int32_t target, std::uint32_t line) {
  return static_cast<std::uint64_t>(space) << 56 |
      static_cast<std::uint64_t>(static_cast<std::uint32_t>(target)) << 32 | line;
}

} // namespace

std::vector<Event> events_of(const RunRecord& record) {
  std::vector<const TracedAccess*> accesses;
  for (const TracedAccess& access : record.trace) accesses.push_back(&access);
  // Stores are recorded when they set out.
  std::ranges::stable_sort(accesses, [](const TracedAccess* a, const TracedAccess* b) {
    if (a->at != b->at) return a->at < b->at;
    return a->delivered != b->delivered ? a->delivered : a->sequence < b->sequence;
  });
  std::vector<Event> events;
  for (const TracedAccess* access : accesses) {
    if (on_lock(access->kind) || access->kind == TracedAccess::Kind::counter) {
      const Space space = on_lock(access->kind) ? Space::lock : Space::counter;
      events.push_back({access, place(space, access->target, 0), 0, 1});
      continue;
    }
    const std::uint32_t last = access->offset + access->bytes;
    for (std::uint32_t begin = access->offset; begin < last;) {
      const std::uint32_t end = std::min(last, (begin / line_bytes + 1) * line_bytes);
      events.push_back({access, place(Space::buffer, access->target, begin / line_bytes), begin, end});
      begin = end;
    }
  }
  return events;
}

bool conflict(const Event& a, const Event& b) noexcept {
  if (a.place != b.place || a.access->core == b.access->core || !(a.access->write || b.access->write))
    return false;
  if (a.begin >= b.end || b.begin >= a.end) return false;
  const bool words = a.begin == b.begin && a.end - a.begin <= word_bytes && b.end - b.begin <= word_bytes;
  return !words || (a.access->mask & b.access->mask) != 0;
}

} // namespace rcce::explore
