// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/resource.hpp"

#include <algorithm>
#include <cmath>

namespace mesh {

/// Forgets what nobody can meet. Where that is little it takes twice the room, so that this is seldom done.
void Resource::make_room() {
  const auto first = std::ranges::upper_bound(busy_at_, *oldest_, {}, &BusyInterval::to);
  busy_at_.erase(busy_at_.begin(), first);
  if (busy_at_.size() > busy_at_.capacity() / 4 * 3) busy_at_.reserve(2 * busy_at_.capacity());
}

/// Serves a packet that arrives before the last one accounted for has been served.
Picoseconds Resource::take_early(Picoseconds start, Picoseconds service) {
  Picoseconds begin = start;
  auto next = busy_at_.end(); // the first service that begins after this packet
  while (next != busy_at_.begin() && (next - 1)->from > begin) --next;
  if (next != busy_at_.begin()) begin = std::max(begin, (next - 1)->to);
  while (next != busy_at_.end() && next->from <= begin) begin = (next++)->to;
  Picoseconds wait = begin - start, end = begin + service;
  const auto place = next - busy_at_.begin();
  for (; next != busy_at_.end() && end > next->from; ++next) {
    const Picoseconds late = end - next->from;
    wait += late;
    next->from = end;
    end = next->to += late;
  }
  busy_at_.insert(busy_at_.begin() + place, {begin, begin + service});
  free_at_ = std::max(free_at_, end);
  return wait;
}

Picoseconds Resource::serve_beside(Picoseconds start, Picoseconds service) {
  const Picoseconds wait = std::max(expected_wait(shares_.used, service), crowd_wait(shares_));
  return wait + take(start + wait, service);
}

// A packet meets another with the probability that the resource is busy, and waits for half of it. Where it
// is busy most of the time a packet meets several, though not as many as if they came at random: a core has
// one line under way and comes back after a period of its own. The square root is what FIFO queues of 2 to 47
// such cores give, within a tenth.
Picoseconds Resource::expected_wait(std::int64_t used, Picoseconds service) noexcept {
  constexpr std::int64_t most = whole / 100 * 95; // from there on a crowd
  used = std::min(used, most);
  const Picoseconds wait = used * service >> (whole_bits + 1);
  if (used < whole / 16) return wait;
  return static_cast<Picoseconds>(static_cast<double>(wait) /
                                  std::sqrt(1 - static_cast<double>(used) / whole));
}

} // namespace mesh
