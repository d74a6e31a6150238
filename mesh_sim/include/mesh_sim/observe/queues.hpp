// SPDX-License-Identifier: Apache-2.0
// Who waits for links, message-passing buffers' ports and memory controllers, which machines tell as packets
// come: less work than an event for each packet, most of which wait for nobody.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh_sim/parts/resource_id.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

/// Who waits for one resource. What is asked for at every wait fills one line of the host's caches, and then
/// `places`.
struct alignas(64) WaitQueue {
  struct Waiting {
    Picoseconds from = 0, until = 0;
    int core = -1; ///< -1: nobody
  };
  Picoseconds sum = 0, longest = 0;
  Picoseconds least = INT64_MAX; ///< service of one packet, of all that have waited
  Picoseconds blocks_until = 0;  ///< one of a block may wait until then
  Picoseconds all_until = 0;     ///< nobody who has been told of waits from then on
  Picoseconds since = 0;         ///< from then on no more than `most` of them wait at any moment
  std::uint32_t most = 0;
  std::uint32_t worst = 0;               ///< most that have waited at one moment
  std::uint32_t used = 0, swept = 0;     ///< of `waiting`; and when those that nobody meets went last
  std::vector<Waiting> waiting{1};       ///< of each core the last one, as long as others may have met it
  std::array<std::uint8_t, 64> places{}; ///< where a core's may be, by the lowest bits of its number
};

class Queues {
 public:
  explicit Queues(const Topology& topology);

  /// The core's packet comes at `from` and waits for others, not for 0 time, until it is served, which takes
  /// `service`.
  void wait(ResourceId resource, int core, Picoseconds from, Picoseconds waited, Picoseconds service);

  /// That of a resource, which stays where it is.
  [[nodiscard]] WaitQueue& queue(ResourceId resource) noexcept {
    return queues_[static_cast<std::size_t>(resource.kind)][static_cast<std::size_t>(resource.number)];
  }
  /// Packets of a block that goes beside others: the block comes at `from`, not before another one told of
  /// there, and each packet waits for `each`, not 0, all together for `waited`. `place`: what the core's
  /// block before has left at this queue, at first 0.
  static void wait_block(WaitQueue& queue, std::uint32_t& place, int core, Picoseconds from, Picoseconds each,
                         Picoseconds waited, Picoseconds service) {
    queue.sum += waited;
    if (each > queue.longest) queue.longest = each;
    if (service < queue.least) queue.least = service;
    const Picoseconds until = from + waited;
    if (from >= queue.all_until) {
      queue.since = from;
      queue.most = 1;
      queue.all_until = queue.blocks_until = until;
    } else {
      queue.blocks_until = std::max(queue.blocks_until, until);
      if (may_be_worst(queue, from, until)) [[unlikely]]
        measure(queue, core, from);
    }
    if (queue.waiting[place].core != core) [[unlikely]]
      place = place_of(queue, core, from);
    queue.waiting[place].from = from;
    queue.waiting[place].until = until;
  }

  /// Of one resource.
  struct Waits {
    Picoseconds sum = 0, longest = 0; ///< of one packet
    std::uint32_t worst_queue = 0;    ///< packets that wait at one moment
    bool operator==(const Waits&) const = default;
  };
  [[nodiscard]] Waits of(ResourceId resource) const;

 private:
  /// Whether a further one that waits may make the queue longer than it has ever been. Counts it.
  static bool may_be_worst(WaitQueue& queue, Picoseconds from, Picoseconds until) noexcept {
    if (from >= queue.all_until) {
      queue.since = from;
      queue.most = 0;
    }
    queue.all_until = std::max(queue.all_until, until);
    return ++queue.most > queue.worst || from < queue.since;
  }
  static void measure(WaitQueue& queue, int core, Picoseconds from) noexcept;
  static std::uint32_t place_of(WaitQueue& queue, int core, Picoseconds now);
  static void sweep(WaitQueue& queue, Picoseconds now);

  std::array<std::vector<WaitQueue>, 3> queues_; ///< by kind and number
};

} // namespace mesh
