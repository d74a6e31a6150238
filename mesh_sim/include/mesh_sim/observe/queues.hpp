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
#include "mesh_sim/units.hpp"

namespace mesh {

class Topology;

/// Who waits for one resource. What is asked for at every wait fills one line of the host's caches, and then
/// `places`.
struct alignas(64) WaitQueue {
  struct Waiting {
    Picoseconds from = 0, until = 0;
    int core = -1; ///< -1: nobody
  };
  Picoseconds sum = 0, longest = 0;
  Picoseconds least = INT64_MAX; ///< service of one packet, of all that have waited
  Picoseconds beside_until = 0;  ///< no packet that came while copies waited waits from then on
  Picoseconds all_until = 0;     ///< no packet that has been told of waits from then on
  Picoseconds since = 0;         ///< from then on no more than `most` of them wait at any moment
  std::uint32_t most = 0;
  std::uint32_t copies = 0; ///< that wait there now, beside those packets
  std::uint32_t worst = 0;  ///< most that have waited at one moment
  /// Entries of `waiting` in use; their number after the last sweep of those that nobody meets.
  std::uint32_t used = 0, swept = 0;
  std::vector<Waiting> waiting{1}; ///< the last packet of each core, as long as others may have met it
  /// The place of a core's packet, by the lowest bits of the core's number.
  std::array<std::uint8_t, 64> places{};
};

class Queues {
 public:
  explicit Queues(const Topology& topology);

  /// The core's packet comes at `from` and waits for others, not for 0 time, until it is served, which takes
  /// `service`. Packets are told of in the order in which their cores set out for them, so one with a shorter
  /// way may arrive before others that were told of earlier, but none that is told of later before `oldest`.
  static void wait(WaitQueue& queue, int core, Picoseconds from, Picoseconds waited, Picoseconds service,
                   Picoseconds oldest);

  /// That of a resource, which stays where it is.
  [[nodiscard]] WaitQueue& queue(ResourceId resource) noexcept {
    return queues_[static_cast<std::size_t>(resource.kind)][static_cast<std::size_t>(resource.number)];
  }
  // A core's own code has a share of a resource. It waits from the first accesses that meet others there
  // until some that meet none, or its end: its packets wait one after the other, each as long as is to be
  // expected.
  /// It begins to, at `now`.
  static void join(WaitQueue& queue, Picoseconds now) noexcept {
    ++queue.copies;
    const std::uint32_t packets = now < queue.all_until ? queue.most : 0;
    if (queue.copies + packets > queue.worst || now < queue.since) [[unlikely]]
      queue.worst = std::max(queue.worst, queue.copies + waiting(queue, now));
  }
  /// It does no longer: what it has waited since, and the most for one packet.
  static void leave(WaitQueue& queue, Picoseconds waited, Picoseconds longest) noexcept {
    --queue.copies;
    queue.sum += waited;
    queue.longest = std::max(queue.longest, longest);
  }

  /// The waits at one resource.
  struct Waits {
    Picoseconds sum = 0, longest = 0; ///< wait of all packets, and the longest
    std::uint32_t worst_queue = 0;    ///< packets that wait at one moment
    bool operator==(const Waits&) const = default;
  };
  [[nodiscard]] Waits of(ResourceId resource) const;

 private:
  /// True if one more waiting packet may make the queue longer than it has ever been. Counts the packet.
  static bool may_be_worst(WaitQueue& queue, Picoseconds from, Picoseconds until) noexcept {
    if (from >= queue.all_until) {
      queue.since = from;
      queue.most = 0;
    }
    queue.all_until = std::max(queue.all_until, until);
    return ++queue.most + queue.copies > queue.worst || from < queue.since;
  }
  static void measure(WaitQueue& queue, int core, Picoseconds from) noexcept;
  static std::uint32_t waiting(const WaitQueue& queue, Picoseconds now) noexcept;
  static std::uint32_t place_of(WaitQueue& queue, int core, Picoseconds oldest);
  static void sweep(WaitQueue& queue, Picoseconds oldest);

  std::array<std::vector<WaitQueue>, 3> queues_; ///< by kind and number
};

} // namespace mesh
