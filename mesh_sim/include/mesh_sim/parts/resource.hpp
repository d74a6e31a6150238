// SPDX-License-Identifier: Apache-2.0
// What several cores contend for: a directed link, an MPB's port, a memory controller. It serves one packet
// at a time.
//
// Three ways to meet it. A line by itself arrives at an instant and is served when the resource is free. The
// lines of a run (run.hpp) are known ahead, and wait for nobody. A core whose accesses nobody counts one by
// one takes a share of the resource's time: others wait for it as long as a line does on average. So that it
// waits for copies likewise, these say at their beginning which part of the time they want.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "mesh_sim/parts/resource_id.hpp"
#include "mesh_sim/parts/run.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

/// The members that are used again and again fill one line of the host's caches.
class alignas(64) Resource {
 public:
  /// `turn`, whose packets it is shown, outlives it.
  Resource(ResourceId id, Turn& turn) noexcept : turn_(&turn), id_(id) {}
  [[nodiscard]] ResourceId id() const noexcept { return id_; }

  /// A packet that arrives at `start` and takes `service`: returns how long it has to wait.
  ///
  /// Packets are accounted for in the order of their issue, and one that comes from nearby may arrive before
  /// others that were issued earlier. So the resource remembers when it serves each, from `oldest` on. Who
  /// arrives before the others is served before them; as they have been accounted for already, it bears the
  /// wait that it makes each of them: of two that are served in a row, twice, so that it does not matter in
  /// which order they were shown.
  Picoseconds serve(Picoseconds start, Picoseconds service) {
    if (start < alone_from_ || start + service > alone_until_) [[unlikely]]
      return serve_among(start, service);
    append(start, service);
    alone_from_ = start + service;
    return 0;
  }

  /// How many of a run's lines, at most `lines`, meet nobody who is known here. Those of others' runs that
  /// they meet first are added to `met`: such a line acts later than the run's.
  struct Met {
    LineRun* run;
    std::uint32_t line, own; ///< line of `run`, and of the one that was asked for
  };
  [[nodiscard]] std::uint32_t alone(const Passage& passage, std::uint32_t lines,
                                    std::vector<Met>& met) const {
    if (passages_ == nullptr && passage.run->begin + passage.late >= alone_from_) return lines;
    return alone_among(passage, lines, met);
  }
  /// From here on others meet the passage's lines, each at its time.
  void enter(Passage& passage) noexcept;
  /// The passage's run has come to its end.
  void leave(Passage& passage);

  /// The part of its time that one or several take together, as long as they need not wait for it.
  struct Share {
    std::int64_t used = 0; ///< part of its time, in parts of `whole`
    Picoseconds round = 0; ///< service of one line of each
    friend Share operator+(const Share& a, const Share& b) noexcept {
      return {a.used + b.used, a.round + b.round};
    }
    friend Share operator-(const Share& a, const Share& b) noexcept {
      return {a.used - b.used, a.round - b.round};
    }
  };
  static constexpr unsigned whole_bits = 24;
  static constexpr std::int64_t whole = std::int64_t{1} << whole_bits;

  /// Puts a share in the place of the one that its core has had, `own`. Returns that of all others, with what
  /// copies want.
  Share change_share(Share& own, const Share& share) {
    for (const Passage* one = passages_; one != nullptr; one = one->next)
      one->run->cut(one->run->come_to(turn_->at, turn_->core), *turn_);
    const Share others = shares_ - own;
    shares_ = others + share;
    own = share;
    find_alone();
    return others + wanted_;
  }
  /// Copies whose packets come one by one want so much more of its time, so that shares know of them.
  void want(const Share& more) noexcept { wanted_ = wanted_ + more; }
  /// How long a packet that takes `service` waits on average where others use that part of the time.
  [[nodiscard]] static Picoseconds expected_wait(std::int64_t used, Picoseconds service) noexcept;
  /// How long each waits where all together want more than there is; 0 where they do not.
  [[nodiscard]] static Picoseconds crowd_wait(const Share& all) noexcept {
    return all.used <= whole ? 0 : all.round - (all.round << whole_bits) / all.used;
  }

 private:
  /// It serves so many packets in a row.
  struct BusyInterval {
    Picoseconds from, to;
    std::uint32_t packets;
  };

  /// A packet's wait, and when the last one has been served that it makes late.
  struct Served {
    Picoseconds wait, until;
  };
  [[nodiscard]] Picoseconds free_at() const noexcept { return busy_at_.back().to; }
  void find_alone() noexcept {
    alone_from_ = shares_.round != 0 || passages_ != nullptr ? INT64_MAX : free_at();
    alone_until_ = INT64_MAX;
  }
  /// Serves a packet that comes when all others have been served.
  void append(Picoseconds start, Picoseconds service) {
    find_room();
    busy_at_.push_back({start, start + service, 1});
  }
  Served take(Picoseconds start, Picoseconds service) {
    if (start < free_at()) return take_early(start, service);
    append(start, service);
    return {0, start + service};
  }
  Served take_early(Picoseconds start, Picoseconds service);
  Picoseconds serve_among(Picoseconds start, Picoseconds service);
  [[nodiscard]] std::uint32_t alone_among(const Passage& passage, std::uint32_t lines,
                                          std::vector<Met>& met) const;
  Picoseconds meet(Picoseconds start, Picoseconds service, bool acted);
  void list_acted(Passage& passage);
  /// For one more stretch, before the list grows.
  void find_room() {
    if (busy_at_.size() == busy_at_.capacity()) [[unlikely]]
      make_room();
  }
  void make_room();

  // What each packet asks for comes first: one line of the host's caches.
  /// Who comes from then on, and has been served by then, meets nobody. Never, where there are shares.
  Picoseconds alone_from_ = 0, alone_until_ = INT64_MAX;
  Passage* passages_ = nullptr;
  Turn* turn_;
  ResourceId id_;
  boost::container::small_vector<BusyInterval, 12> busy_at_{
      {0, 0, 0}}; ///< stretches, in order, never none; two may touch
  Share shares_;  ///< sum of all that have one
  Share wanted_;  ///< by copies under way, beside them
};

/// Those of a kind, with the numbers from 0 to count - 1.
[[nodiscard]] inline std::vector<Resource> resources(ResourceId::Kind kind, int count, Turn& turn) {
  std::vector<Resource> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int number = 0; number < count; ++number) all.emplace_back(ResourceId{kind, number}, turn);
  return all;
}

} // namespace mesh
