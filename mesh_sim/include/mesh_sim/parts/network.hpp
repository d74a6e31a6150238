// SPDX-License-Identifier: Apache-2.0
// The mesh: directed links that packets pass one after the other, and ways through it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh_sim/parts/resource.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

struct WaitQueue;

/// A resource that a line passes on its way, how long it is served there, and how long it goes on to the
/// next.
struct RouteStep {
  Resource* resource;
  Picoseconds service, hop;
};
/// A step, as seen by a core's own code and by those who hear of queues.
struct StepUse {
  Resource::Share share;      ///< that a core's own code takes, on its way
  WaitQueue* queue = nullptr; ///< who waits there; null: nobody wants to know
  Picoseconds waited = 0;     ///< its packets, since they have met others; 0: they meet none
  Picoseconds longest = 0;    ///< one of them
};
/// The route of a line: to a port or a controller, maybe back from there.
struct Route {
  std::vector<RouteStep> steps;
  std::vector<StepUse> uses; ///< one for each step
  bool back = false;
  ResourceId server; ///< the port or controller
  /// The counter of lines on this route; null: nobody counts.
  std::uint64_t* lines = nullptr;

  [[nodiscard]] StepUse& use(const RouteStep& step) noexcept {
    return uses[static_cast<std::size_t>(&step - steps.data())];
  }
};

/// A link's work for packets, and how long they go on to the next router.
struct LinkPace {
  Picoseconds header, line; ///< it is busy with a packet without a line, with one
  Picoseconds hop;
  std::uint64_t header_bytes, packet_bytes; ///< width of their flits

  /// A link of that width, its latency in cycles. A packet with a line has a header and the data.
  LinkPace(Picoseconds mesh_cycle, Cycles cycles, std::int64_t bytes)
      : header(mesh_cycle),
        line((1 + (static_cast<std::int64_t>(line_bytes) + bytes - 1) / bytes) * mesh_cycle),
        hop(cycles * mesh_cycle),
        header_bytes(static_cast<std::uint64_t>(bytes)),
        packet_bytes((1 + (line_bytes + header_bytes - 1) / header_bytes) * header_bytes) {}
};

class Network {
 public:
  /// `usual`: the pace of all links of a grid. `turn`: as of its resources.
  Network(const Topology& topology, Picoseconds mesh_cycle, const LinkPace& usual, Turn& turn);

  [[nodiscard]] const LinkPace& pace(int link) const noexcept {
    return paces_.empty() ? usual_ : paces_[static_cast<std::size_t>(link)];
  }

  /// Sends a packet, with a line or without, along the route at `at`, which is then the time of its arrival.
  /// Returns how long it had to wait on the way. notify(link, arrival, wait, service) hears of each link.
  template <class Notify>
  Picoseconds send(TileId from, TileId to, Picoseconds& at, bool line, Notify&& notify) {
    Picoseconds waited = 0;
    if (routes_.empty()) [[unlikely]] {
      Picoseconds there = at; // by itself: what the others use stays in registers
      waited = send_far(from, to, there, line, notify);
      at = there;
      return waited;
    }
    const Picoseconds service = line ? usual_.line : usual_.header;
    const auto pair = pair_of(from, to);
    for (std::uint32_t i = routes_[pair]; i < routes_[pair + 1]; ++i)
      waited += pass(route_links_[i], at, service, usual_.hop, notify);
    return waited;
  }
  /// Adds the links of that route to the way.
  void add_route(Route& path, TileId from, TileId to, bool line) {
    route(from, to, [&](int number) {
      const LinkPace& pace = this->pace(number);
      path.steps.push_back(
          {&links_[static_cast<std::size_t>(number)], line ? pace.line : pace.header, pace.hop});
    });
  }

 private:
  /// One link of a packet's way, which it reaches at `at`. Returns how long it had to wait there.
  template <class Notify>
  [[gnu::always_inline]] Picoseconds pass(int number, Picoseconds& at, Picoseconds service, Picoseconds hop,
                                          Notify&& notify) {
    Resource& link = links_[static_cast<std::size_t>(number)];
    const Picoseconds wait = link.serve(at, service);
    notify(link, at, wait, service);
    at += wait + hop;
    return wait;
  }
  /// send() over a network whose routes are found link by link.
  template <class Notify>
  [[gnu::noinline]] Picoseconds send_far(TileId from, TileId to, Picoseconds& at, bool line, Notify& notify) {
    Picoseconds waited = 0;
    topology_.route(from, to, [&](int number) {
      const LinkPace& pace = this->pace(number);
      waited += pass(number, at, line ? pace.line : pace.header, pace.hop, notify);
    });
    return waited;
  }
  [[nodiscard]] std::size_t pair_of(TileId from, TileId to) const noexcept {
    return static_cast<std::size_t>(index(from) * tiles_ + index(to));
  }
  /// As Topology::route().
  template <class Visit>
  void route(TileId from, TileId to, Visit&& visit) const {
    if (routes_.empty()) return topology_.route(from, to, visit);
    const auto pair = pair_of(from, to);
    for (std::uint32_t i = routes_[pair]; i < routes_[pair + 1]; ++i) visit(int{route_links_[i]});
  }

  const Topology& topology_;
  int tiles_;
  LinkPace usual_;
  std::vector<LinkPace> paces_; ///< by link, where they differ
  std::vector<Resource> links_;
  // For a mesh of one pace, small enough for the host's caches: finding a route link by link takes longer
  // than a packet.
  std::vector<std::uint32_t> routes_; ///< by both tiles: first of its links, and one past the last
  std::vector<std::uint16_t> route_links_;
};

} // namespace mesh
