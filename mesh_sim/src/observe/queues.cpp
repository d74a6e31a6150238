// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/queues.hpp"

#include "mesh_sim/parts/topology.hpp"

namespace mesh {
namespace {

/// Cores of a chip keep their places: they come back. On larger meshes most do not.
constexpr std::uint32_t seldom_swept = 64;

} // namespace

Queues::Queues(const Topology& topology) {
  const auto make = [&](ResourceId::Kind kind, int count) {
    queues_[static_cast<std::size_t>(kind)].resize(static_cast<std::size_t>(count));
  };
  make(ResourceId::Kind::link, topology.links());
  make(ResourceId::Kind::mpb_port, topology.tiles());
  make(ResourceId::Kind::controller, topology.controllers());
}

void Queues::wait(WaitQueue& queue, int core, Picoseconds from, Picoseconds waited, Picoseconds service,
                  Picoseconds oldest) {
  queue.sum += waited;
  queue.longest = std::max(queue.longest, waited);
  queue.least = std::min(queue.least, service);
  // Those before it that wait are served before it, so by the time that it waits itself one knows how many
  // there can be. That does not hold beside copies, where packets wait as long as is to be expected.
  const bool beside = queue.copies > 0 || from < queue.beside_until;
  if (queue.copies > 0) queue.beside_until = std::max(queue.beside_until, from + waited);
  if (may_be_worst(queue, from, from + waited) && (beside || waited >= queue.worst * queue.least))
      [[unlikely]]
    measure(queue, core, from);
  std::size_t place = queue.places[static_cast<std::size_t>(core) % queue.places.size()];
  if (queue.waiting[place].core != core) [[unlikely]]
    place = place_of(queue, core, oldest);
  queue.waiting[place].from = from;
  queue.waiting[place].until = from + waited;
}

/// Those who wait when the core's packet comes.
[[gnu::noinline]] void Queues::measure(WaitQueue& queue, int core, Picoseconds from) noexcept {
  std::uint32_t length = 1, most = 1;
  for (const WaitQueue::Waiting& other : queue.waiting) { // no branches: they are hard to guess
    const auto waits = static_cast<std::uint32_t>((other.core != core) & (from < other.until));
    most += waits;
    length += waits & static_cast<std::uint32_t>(other.from <= from);
  }
  queue.worst = std::max(queue.worst, queue.copies + length);
  if (from < queue.since) return;
  queue.since = from;
  queue.most = most;
}

/// Packets that wait at that moment.
[[gnu::noinline]] std::uint32_t Queues::waiting(const WaitQueue& queue, Picoseconds now) noexcept {
  return static_cast<std::uint32_t>(std::ranges::count_if(
      queue.waiting, [now](const WaitQueue::Waiting& one) { return one.from <= now && now < one.until; }));
}

/// The place of the core's packet, which is added if there is none.
[[gnu::noinline]] std::uint32_t Queues::place_of(WaitQueue& queue, int core, Picoseconds oldest) {
  std::vector<WaitQueue::Waiting>& waiting = queue.waiting;
  auto found = std::ranges::find(waiting, core, &WaitQueue::Waiting::core);
  if (found == waiting.end()) {
    if (queue.used > 2 * queue.swept + seldom_swept) sweep(queue, oldest);
    found = std::ranges::find(waiting, -1, &WaitQueue::Waiting::core);
    if (found == waiting.end()) found = waiting.insert(found, WaitQueue::Waiting{});
    found->core = core;
    ++queue.used;
  }
  const auto place = static_cast<std::uint32_t>(found - waiting.begin());
  queue.places[static_cast<std::size_t>(core) % queue.places.size()] = static_cast<std::uint8_t>(place);
  return place;
}

/// Their places stay, for others.
void Queues::sweep(WaitQueue& queue, Picoseconds oldest) {
  for (WaitQueue::Waiting& one : queue.waiting) {
    if (one.core < 0 || one.until > oldest) continue;
    one = {};
    --queue.used;
  }
  queue.swept = queue.used;
}

Queues::Waits Queues::of(ResourceId resource) const {
  const std::vector<WaitQueue>& all = queues_[static_cast<std::size_t>(resource.kind)];
  const WaitQueue& queue = all[static_cast<std::size_t>(resource.number)];
  return {queue.sum, queue.longest, queue.sum == 0 ? 0 : std::max(queue.worst, 1U)};
}

} // namespace mesh
