// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/run.hpp"

#include <algorithm>

namespace mesh {

/// The smallest x with low <= step * x mod modulus <= high, where 0 < low <= high < modulus; -1: none.
/// Euclid's algorithm: x turns around the modulus as often as the remainder of the modulus turns around step.
static std::int64_t first_in_window(std::int64_t step, std::int64_t modulus, std::int64_t low,
                                    std::int64_t high) noexcept {
  if (step == 0) return -1;
  const std::int64_t x = (low + step - 1) / step;
  if (x * step <= high) return x;
  const std::int64_t turns = first_in_window(modulus % step, step, step - high % step, step - low % step);
  return turns < 0 ? -1 : (low + modulus * turns + step - 1) / step;
}

// Arrival i of one, at x, and j of the other, at y, are served at one time if x - other.service < y < x +
// one.service. Arrival i comes as far as arrival j = floor(reach / other.period) of the other, and meets it
// if the rest is at most `window`.
std::optional<Meeting> first_meeting(const Arrivals& one, const Arrivals& other) noexcept {
  std::int64_t i = 0, reach = one.from - other.from + one.service - 1;
  if (reach < 0) {
    i = (-reach + one.period - 1) / one.period;
    reach += i * one.period;
  }
  if (i >= one.count) return {};
  const Picoseconds window = one.service + other.service - 2;
  std::int64_t j = reach / other.period;
  if (reach - j * other.period > window) {
    const Picoseconds low = other.period - (reach - j * other.period);
    const std::int64_t more = first_in_window(one.period % other.period, other.period, low, low + window);
    if (more < 0) return {};
    i += more;
    j = (reach + more * one.period) / other.period;
  }
  if (i >= one.count) return {};
  if (window >= other.period) { // it meets several
    const Picoseconds before = one.from + i * one.period - other.service - other.from;
    j = before < 0 ? 0 : before / other.period + 1;
  }
  if (j >= other.count) return {};
  return Meeting{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)};
}

void Pattern::find_pairs() {
  pairs.clear();
  for (std::uint16_t one = 0; one < passages.size(); ++one)
    for (std::uint16_t other = 0; other < one; ++other)
      if (passages[one].resource == passages[other].resource) pairs.push_back({one, other});
}

bool Pattern::meets_itself(Picoseconds period) const noexcept {
  return slowest > period || std::ranges::any_of(pairs, [&](const Pair& pair) {
           const Passage &one = passages[pair.one], &other = passages[pair.other];
           Picoseconds apart = (one.after - other.after) % period;
           if (apart < 0) apart += period;
           return apart < other.service || period - apart < one.service;
         });
}

} // namespace mesh
