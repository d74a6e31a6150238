// What several cores contend for: directed links, MPB ports, memory controllers. Each serves one packet at a
// time and remembers when it is free again.
#pragma once

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
};

class Resource {
 public:
  /// Serves the lines of the stream for `service` each; returns how long the first one has to wait.
  Picoseconds serve(const Stream& stream, Picoseconds service) noexcept {
    busy_ += service * stream.lines;
    lines_ += stream.lines;
    Picoseconds wait = 0;
    if (free_at_ > stream.start) {
      // A block of work that was accounted for at once is spread over time in truth: a shorter stream that
      // arrives meanwhile waits for its share of it only.
      wait = free_at_ - stream.start;
      if (stream.lines < block_) wait = wait * stream.lines / block_;
    }
    if (stream.undisturbed && wait == 0) {
      free_at_ = stream.last_start + service;
      block_ = 1;
    } else {
      free_at_ = (free_at_ > stream.start ? free_at_ : stream.start) + service * stream.lines;
      block_ = stream.lines;
    }
    waited_ += wait;
    return wait;
  }

  [[nodiscard]] Picoseconds busy() const noexcept { return busy_; }
  [[nodiscard]] Picoseconds waited() const noexcept { return waited_; }
  [[nodiscard]] std::uint64_t lines() const noexcept { return lines_; }

 private:
  Picoseconds free_at_ = 0, busy_ = 0, waited_ = 0;
  std::uint64_t lines_ = 0;
  std::uint32_t block_ = 1;
};

class Network {
 public:
  Network(const Topology& topology, bool contention)
      : topology_(topology), contention_(contention), links_(static_cast<std::size_t>(topology.links())) {}

  /// Sends the stream's packets of `flits` flits along the route; returns how long the first one waits on the
  /// way.
  Picoseconds send(TileId from, TileId to, Stream stream, int flits, Picoseconds flit_time) noexcept {
    if (from == to || !contention_) return 0;
    const Picoseconds service = flits * flit_time;
    Picoseconds waited = 0;
    topology_.route(from, to, [&](int link) {
      const Picoseconds wait = links_[static_cast<std::size_t>(link)].serve(stream, service);
      stream.start += wait;
      stream.last_start += wait;
      waited += wait;
    });
    return waited;
  }

  [[nodiscard]] const std::vector<Resource>& links() const noexcept { return links_; }

 private:
  const Topology& topology_;
  bool contention_;
  std::vector<Resource> links_;
};

} // namespace mesh
