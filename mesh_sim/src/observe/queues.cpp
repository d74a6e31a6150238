// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/queues.hpp"

#include <algorithm>

namespace mesh {
namespace {

/// Packets are told of in the order in which their cores set out for them. One that has a shorter way may so
/// arrive before another that has been told of earlier, but by less than this.
constexpr Picoseconds longest_way = 1'000'000;

} // namespace

void Queues::wait(ResourceId resource, int core, Picoseconds from, Picoseconds waited, Picoseconds service,
                  std::uint32_t packets) {
  std::vector<Queue>& all = queues_[static_cast<std::size_t>(resource.kind)];
  const auto number = static_cast<std::size_t>(resource.number);
  if (number >= all.size()) [[unlikely]]
    all.resize(number + 1);
  Queue& queue = all[number];
  queue.sum += waited;
  if (waited >= (queue.longest + 1) * packets) queue.longest = waited / packets;
  const Picoseconds until = from + waited;
  const std::size_t own = place_of(queue, core, from);
  // Those before it that wait are served before it, so by the time that it waits itself one knows how many
  // there can be. That does not hold among packets of blocks, which wait as long as is to be expected.
  if (packets > 1) queue.blocks_until = std::max(queue.blocks_until, until);
  queue.least = queue.worst == 0 ? service : std::min(queue.least, service);
  if (from < queue.blocks_until || waited >= queue.worst * queue.least) {
    std::uint32_t length = 1;
    for (const Waiting& other : queue.waiting)
      length += static_cast<std::uint32_t>((other.core != core) & (other.from <= from) &
                                           (from < other.until)); // no branches: they are hard to guess
    queue.worst = std::max(queue.worst, length);
  }
  queue.waiting[own] = {core, from, until};
}

/// Of the core's packet, which is taken in where it has none.
std::size_t Queues::place_of(Queue& queue, int core, Picoseconds now) {
  std::vector<Waiting>& waiting = queue.waiting;
  std::uint8_t& place = queue.places[static_cast<std::size_t>(core) % queue.places.size()];
  if (place < waiting.size() && waiting[place].core == core) return place;
  const auto found = std::ranges::find(waiting, core, &Waiting::core);
  auto own = static_cast<std::size_t>(found - waiting.begin());
  if (found == waiting.end()) {
    if (waiting.size() > 2 * std::size_t{queue.swept} + 8) sweep(queue, now);
    own = waiting.size();
    waiting.push_back({core, 0, 0});
  }
  place = static_cast<std::uint8_t>(own);
  return own;
}

void Queues::sweep(Queue& queue, Picoseconds now) {
  std::erase_if(queue.waiting, [&](const Waiting& one) { return one.until + longest_way < now; });
  queue.swept = static_cast<std::uint32_t>(queue.waiting.size());
}

Queues::Waits Queues::of(ResourceId resource) const {
  const std::vector<Queue>& all = queues_[static_cast<std::size_t>(resource.kind)];
  const auto number = static_cast<std::size_t>(resource.number);
  if (number >= all.size()) return {};
  return {all[number].sum, all[number].longest, all[number].worst};
}

} // namespace mesh
