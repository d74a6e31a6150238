// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/resource.hpp"

#include <algorithm>
#include <cmath>

namespace mesh {

/// Forgets the older half, so that it is seldom done.
void Resource::forget() noexcept {
  constexpr unsigned half = remembered / 2;
  forgotten_ = busy_at_[half - 1].to;
  std::copy(busy_at_.begin() + half, busy_at_.end(), busy_at_.begin());
  stretches_ -= half;
}

void Resource::drop(unsigned stretch) noexcept {
  std::copy(busy_at_.begin() + stretch + 1, busy_at_.begin() + stretches_, busy_at_.begin() + stretch);
  --stretches_;
}

/// Of a packet that arrives before the last one accounted for has been served.
Picoseconds Resource::take_early(Picoseconds start, Picoseconds service) noexcept {
  if (stretches_ == remembered) forget();
  Picoseconds begin = std::max(start, forgotten_);
  unsigned next = stretches_; // the first stretch that begins after this packet
  while (next > 0 && busy_at_[next - 1].from > begin) --next;
  if (next > 0) begin = std::max(begin, busy_at_[next - 1].to);
  while (next < stretches_ && busy_at_[next].from <= begin) begin = busy_at_[next++].to;
  Picoseconds wait = begin - start, end = begin + service;
  while (next < stretches_ && end > busy_at_[next].from) {
    const Picoseconds late = end - busy_at_[next].from;
    wait += late;
    end = busy_at_[next].to + late;
    drop(next);
  }
  if (next > 0 && busy_at_[next - 1].to == begin) {
    busy_at_[next - 1].to = end;
  } else {
    std::copy_backward(busy_at_.begin() + next, busy_at_.begin() + stretches_,
                       busy_at_.begin() + stretches_ + 1);
    busy_at_[next] = {begin, end};
    ++stretches_;
  }
  free_at_ = std::max(free_at_, end);
  return wait;
}

Picoseconds Resource::serve_beside(Picoseconds start, Picoseconds service) noexcept {
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
