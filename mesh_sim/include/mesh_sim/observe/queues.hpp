// SPDX-License-Identifier: Apache-2.0
// Who waits for links, message-passing buffers' ports and memory controllers, which machines tell as packets
// come: less work than an event for each packet, most of which wait for nobody.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh_sim/parts/resource_id.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

class Queues {
 public:
  /// The core's packet comes at `from` and waits for others, not for 0 time, until it is served, which takes
  /// `service`.
  void wait(ResourceId resource, int core, Picoseconds from, Picoseconds waited, Picoseconds service);
  /// Of a block that goes beside others and comes at `from`, each of the packets waits that long.
  void wait_block(ResourceId resource, int core, Picoseconds from, Picoseconds each, Picoseconds service,
                  std::uint32_t packets);

  /// Of one resource.
  struct Waits {
    Picoseconds sum = 0, longest = 0; ///< of one packet
    std::uint32_t worst_queue = 0;    ///< packets that wait at one moment
    bool operator==(const Waits&) const = default;
  };
  [[nodiscard]] Waits of(ResourceId resource) const;

 private:
  struct Waiting {
    int core;
    Picoseconds from, until;
  };
  /// What is asked for at every wait fills one line of the host's caches, and then `places`.
  struct alignas(64) Queue {
    Picoseconds sum = 0, longest = 0;
    Picoseconds least = INT64_MAX; ///< service of one packet, of all that have waited
    Picoseconds blocks_until = 0;  ///< one of a block may wait until then
    Picoseconds all_until = 0;     ///< nobody who has been told of waits from then on
    Picoseconds since = 0;         ///< from then on no more than `most` of them wait at any moment
    std::uint32_t most = 0;
    std::uint32_t worst = 0;
    std::uint32_t swept = 0;               ///< how many were waiting when those that nobody meets went
    std::vector<Waiting> waiting;          ///< of each core the last one, as long as others may have met it
    std::array<std::uint8_t, 64> places{}; ///< where a core's may be, by the lowest bits of its number
  };
  [[nodiscard]] Queue& queue_of(ResourceId resource);
  static bool may_be_worst(Queue& queue, Picoseconds from, Picoseconds until) noexcept;
  static void measure(Queue& queue, int core, Picoseconds from) noexcept;
  static void place(Queue& queue, const Waiting& one);
  static void place_new(Queue& queue, const Waiting& one);
  static void sweep(Queue& queue, Picoseconds now);

  std::array<std::vector<Queue>, 3> queues_; ///< by kind and number
};

} // namespace mesh
