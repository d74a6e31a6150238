// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/queues.hpp"

#include <algorithm>

namespace mesh {
namespace {

/// Packets are told of in the order in which their cores set out for them. One that has a shorter way may so
/// arrive before another that has been told of earlier, but by less than this.
constexpr Picoseconds longest_way = 1'000'000;

} // namespace

[[gnu::always_inline]] inline Queues::Queue& Queues::queue_of(ResourceId resource) {
  std::vector<Queue>& all = queues_[static_cast<std::size_t>(resource.kind)];
  const auto number = static_cast<std::size_t>(resource.number);
  if (number >= all.size()) [[unlikely]]
    all.resize(number + 1);
  return all[number];
}

void Queues::wait(ResourceId resource, int core, Picoseconds from, Picoseconds waited, Picoseconds service) {
  Queue& queue = queue_of(resource);
  queue.sum += waited;
  queue.longest = std::max(queue.longest, waited);
  queue.least = std::min(queue.least, service);
  // Those before it that wait are served before it, so by the time that it waits itself one knows how many
  // there can be. That does not hold among packets of blocks, which wait as long as is to be expected.
  if (may_be_worst(queue, from, from + waited) &&
      (from < queue.blocks_until || waited >= queue.worst * queue.least)) [[unlikely]]
    measure(queue, core, from);
  place(queue, {core, from, from + waited});
}

void Queues::wait_block(ResourceId resource, int core, Picoseconds from, Picoseconds each,
                        Picoseconds service, std::uint32_t packets) {
  Queue& queue = queue_of(resource);
  const Picoseconds waited = each * packets, until = from + waited;
  queue.sum += waited;
  queue.longest = std::max(queue.longest, each);
  queue.least = std::min(queue.least, service);
  queue.blocks_until = std::max(queue.blocks_until, until);
  if (may_be_worst(queue, from, until)) [[unlikely]]
    measure(queue, core, from);
  place(queue, {core, from, until});
}

/// Whether a further one that waits may make the queue longer than it has ever been. Counts it.
[[gnu::always_inline]] inline bool Queues::may_be_worst(Queue& queue, Picoseconds from,
                                                        Picoseconds until) noexcept {
  if (from >= queue.all_until) {
    queue.since = from;
    queue.most = 0;
  }
  queue.all_until = std::max(queue.all_until, until);
  return ++queue.most > queue.worst || from < queue.since;
}

/// Those who wait when the core's packet comes.
[[gnu::noinline]] void Queues::measure(Queue& queue, int core, Picoseconds from) noexcept {
  std::uint32_t length = 1, most = 1;
  for (const Waiting& other : queue.waiting) { // no branches: they are hard to guess
    const auto waits = static_cast<std::uint32_t>((other.core != core) & (from < other.until));
    most += waits;
    length += waits & static_cast<std::uint32_t>(other.from <= from);
  }
  queue.worst = std::max(queue.worst, length);
  if (from < queue.since) return;
  queue.since = from;
  queue.most = most;
}

/// In the place of the core's packet before.
[[gnu::always_inline]] inline void Queues::place(Queue& queue, const Waiting& one) {
  const std::size_t place = queue.places[static_cast<std::size_t>(one.core) % queue.places.size()];
  if (place < queue.waiting.size() && queue.waiting[place].core == one.core) [[likely]]
    queue.waiting[place] = one;
  else
    place_new(queue, one);
}

[[gnu::noinline]] void Queues::place_new(Queue& queue, const Waiting& one) {
  std::vector<Waiting>& waiting = queue.waiting;
  const auto found = std::ranges::find(waiting, one.core, &Waiting::core);
  auto place = static_cast<std::size_t>(found - waiting.begin());
  if (found != waiting.end()) {
    *found = one;
  } else {
    if (waiting.size() > 2 * std::size_t{queue.swept} + 8) sweep(queue, one.from);
    place = waiting.size();
    waiting.push_back(one);
  }
  queue.places[static_cast<std::size_t>(one.core) % queue.places.size()] = static_cast<std::uint8_t>(place);
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
