// SPDX-License-Identifier: Apache-2.0
// What several cores contend for: a directed link, an MPB's port, a memory controller. It serves one packet
// at a time.
//
// Two ways to meet it. A line by itself arrives at an instant and is served when the resource is free. A copy
// that is accounted for in blocks takes a share of the resource's time: it does not meet others line by line,
// but waits for their shares as long as a line does on average.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "mesh_sim/parts/resource_id.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

/// The members that are used again and again fill one line of the host's caches.
class alignas(64) Resource {
 public:
  /// `oldest` outlives it and never falls: nobody who is accounted for later arrives before.
  Resource(ResourceId id, const Picoseconds& oldest) noexcept : id_(id), oldest_(&oldest) {}
  [[nodiscard]] ResourceId id() const noexcept { return id_; }

  /// A packet that arrives at `start` and takes `service`: returns how long it has to wait.
  ///
  /// Packets are accounted for in the order of their issue, and one that comes from nearby may arrive before
  /// others that were issued earlier. So the resource remembers when it serves each, from `oldest` on. Who
  /// arrives before the others is served before them; as they have been accounted for already, it bears the
  /// wait that it makes each of them. Services that touch stay apart: a port that serves two packets in a row
  /// has two that can be late, in whatever order it was told of them.
  Picoseconds serve(Picoseconds start, Picoseconds service) {
    if (shares_.round != 0) [[unlikely]]
      return serve_beside(start, service);
    return take(start, service);
  }

  /// The share that copies take, one or several together, as long as they need not wait for the resource.
  struct Share {
    std::int64_t used = 0; ///< part of its time, in parts of `whole`
    Picoseconds round = 0; ///< service of one line of each
  };
  static constexpr unsigned whole_bits = 24;
  static constexpr std::int64_t whole = std::int64_t{1} << whole_bits;

  /// Puts a copy's share in the place of the one that it has had, `own`; returns that of all others.
  Share change_share(Share& own, const Share& share) noexcept {
    const Share others{shares_.used - own.used, shares_.round - own.round};
    shares_ = {others.used + share.used, others.round + share.round};
    own = share;
    return others;
  }
  /// How long a packet that takes `service` waits on average where others use that part of the time.
  [[nodiscard]] static Picoseconds expected_wait(std::int64_t used, Picoseconds service) noexcept;
  /// How long each waits where all together want more than there is; 0 where they do not.
  [[nodiscard]] static Picoseconds crowd_wait(const Share& all) noexcept {
    return all.used <= whole ? 0 : all.round - (all.round << whole_bits) / all.used;
  }

 private:
  struct BusyInterval {
    Picoseconds from, to;
  };

  Picoseconds take(Picoseconds start, Picoseconds service) {
    if (busy_at_.size() == busy_at_.capacity()) [[unlikely]]
      make_room();
    if (start < free_at_) [[unlikely]]
      return take_early(start, service);
    free_at_ = start + service;
    busy_at_.push_back({start, free_at_});
    return 0;
  }
  Picoseconds take_early(Picoseconds start, Picoseconds service);
  Picoseconds serve_beside(Picoseconds start, Picoseconds service);
  void make_room();

  Picoseconds free_at_ = 0; ///< end of the last service
  Share shares_;            ///< of all copies in blocks
  ResourceId id_;
  const Picoseconds* oldest_;
  boost::container::small_vector<BusyInterval, 16> busy_at_; ///< services, in order
};

/// Those of a kind, with the numbers from 0 to count - 1.
[[nodiscard]] inline std::vector<Resource> resources(ResourceId::Kind kind, int count,
                                                     const Picoseconds& oldest) {
  std::vector<Resource> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int number = 0; number < count; ++number) all.emplace_back(ResourceId{kind, number}, oldest);
  return all;
}

} // namespace mesh
