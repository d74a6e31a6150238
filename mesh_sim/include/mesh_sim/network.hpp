// What several cores contend for: directed links, MPB ports, memory controllers. Each serves one packet at a
// time and remembers when it is free again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mesh_sim/topology.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

/// Several lines of one copy that pass through resources one behind the other.
struct Stream {
  Picoseconds start;      ///< when the first line sets out
  Picoseconds last_start; ///< when the last one does, if nobody is in the way
  std::uint32_t lines;
  /// True when nobody else acts before `last_start`: the lines are then accounted for at their own times.
  /// False when others may come in between: the lines then count as one block of work.
  bool undisturbed;

  void delay(Picoseconds time) noexcept {
    start += time;
    last_start += time;
  }
};

/// One cache line of the host: what is asked for line after line comes first.
class alignas(64) Resource {
 public:
  /// Serves the lines of the stream for `service` each; returns how long the first one has to wait.
  Picoseconds serve(const Stream& stream, Picoseconds service) noexcept {
    const Picoseconds work = service * stream.lines;
    if (stream.start >= free_at_) [[likely]] {
      idle_from_ = free_at_;
      busy_from_ = stream.undisturbed ? stream.last_start : stream.start;
      free_at_ = stream.undisturbed ? stream.last_start + service : stream.start + work;
      block_ = stream.undisturbed ? 1 : stream.lines;
      return 0;
    }
    return serve_busy(stream, work);
  }

  /// A line by itself.
  Picoseconds serve(Picoseconds start, Picoseconds service) noexcept {
    if (start >= free_at_) [[likely]] {
      idle_from_ = free_at_;
      busy_from_ = start;
      free_at_ = start + service;
      block_ = 1;
      return 0;
    }
    return serve_busy({start, start, 1, false}, service);
  }
  /// For the statistics; serve() leaves it to its callers, which serve many lines alike.
  void count(std::uint64_t lines, Picoseconds service) noexcept {
    busy_ += static_cast<Picoseconds>(lines) * service;
    lines_ += lines;
  }

  [[nodiscard]] Picoseconds busy() const noexcept { return busy_; }
  [[nodiscard]] Picoseconds waited() const noexcept { return waited_; }
  [[nodiscard]] std::uint64_t lines() const noexcept { return lines_; }

 private:
  Picoseconds serve_busy(const Stream& stream, Picoseconds work) noexcept {
    // Accesses are accounted for in the order of their issue; one that comes from nearby may arrive first all
    // the same, and then takes its share of the idle time before the last stretch of work.
    if (const Picoseconds begin = std::max(stream.start, idle_from_); begin + work <= busy_from_) {
      idle_from_ = begin + work;
      waited_ += begin - stream.start;
      return begin - stream.start;
    }
    // Blocks that were accounted for at once are spread over time in truth. So a single line waits for one
    // line of each, and a block for what the resource cannot serve beside its own pace.
    Picoseconds wait = (free_at_ - stream.start) / block_;
    if (stream.lines > 1) {
      const Picoseconds pace = (stream.last_start - stream.start) / (stream.lines - 1) * stream.lines;
      wait = std::max<Picoseconds>(0, free_at_ + work - (stream.start + pace));
    }
    free_at_ += work;
    block_ = stream.lines;
    waited_ += wait;
    return wait;
  }

  Picoseconds free_at_ = 0;                   ///< end of the last stretch of work accounted for
  Picoseconds idle_from_ = 0, busy_from_ = 0; ///< idle time before that stretch
  std::uint32_t block_ = 1;
  Picoseconds busy_ = 0, waited_ = 0;
  std::uint64_t lines_ = 0;
};

/// A resource that a line passes on its way, how long it serves one, and the way to the next resource.
struct Leg {
  Resource* resource;
  Picoseconds service, hop;
};
using Way = std::vector<Leg>;

class Network {
 public:
  explicit Network(const Topology& topology)
      : topology_(topology), links_(static_cast<std::size_t>(topology.links())) {}

  /// Sends a packet of `flits` flits along the route, `hop` a router, at `at`, which is then the time of its arrival.
  /// Returns how long it had to wait on the way.
  Picoseconds send(TileId from, TileId to, Picoseconds& at, int flits, Picoseconds flit_time,
                   Picoseconds hop) noexcept {
    const Picoseconds service = flits * flit_time;
    Picoseconds waited = 0;
    topology_.route(from, to, [&](int number) {
      Resource& link = links_[static_cast<std::size_t>(number)];
      const Picoseconds wait = link.serve(at, service);
      link.count(1, service);
      waited += wait;
      at += wait + hop;
    });
    return waited;
  }
  /// Adds the links of that route to the way.
  void add_route(Way& way, TileId from, TileId to, int flits, Picoseconds flit_time, Picoseconds hop) {
    topology_.route(from, to, [&](int link) {
      way.push_back({&links_[static_cast<std::size_t>(link)], flits * flit_time, hop});
    });
  }

  [[nodiscard]] const std::vector<Resource>& links() const noexcept { return links_; }

 private:
  const Topology& topology_;
  std::vector<Resource> links_;
};

} // namespace mesh
