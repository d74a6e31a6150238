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
  Resource::Share share;      ///< the share of the copy that takes this route
  WaitQueue* queue = nullptr; ///< who waits there; null: nobody wants to know
  Picoseconds waited = 0;     ///< by that copy since it has met others; 0: it meets none
  Picoseconds longest = 0;    ///< by one of its packets
};
/// The route of a line: to a port or a controller, maybe back from there.
struct Route {
  std::vector<RouteStep> steps;
  bool back = false;
  ResourceId server; ///< the port or controller
  /// The counter of lines on this route; null: nobody counts.
  std::uint64_t* lines = nullptr;
};

class Network {
 public:
  /// `turn`: as of its resources.
  Network(const Topology& topology, Turn& turn);

  /// Sends a packet of `flits` flits along the route, `hop` a router, at `at`, which is then the time of its
  /// arrival. Returns how long it had to wait on the way. notify(link, arrival, wait, service) hears of each
  /// link.
  template <class Notify>
  Picoseconds send(TileId from, TileId to, Picoseconds& at, int flits, Picoseconds flit_time, Picoseconds hop,
                   Notify&& notify) {
    const Picoseconds service = flits * flit_time;
    Picoseconds waited = 0;
    if (routes_.empty()) [[unlikely]] {
      Picoseconds there = at; // by itself: what the others use stays in registers
      waited = send_far(from, to, there, service, hop, notify);
      at = there;
      return waited;
    }
    const auto pair = pair_of(from, to);
    for (std::uint32_t i = routes_[pair]; i < routes_[pair + 1]; ++i)
      waited += pass(route_links_[i], at, service, hop, notify);
    return waited;
  }
  /// Adds the links of that route to the way.
  void add_route(Route& path, TileId from, TileId to, int flits, Picoseconds flit_time, Picoseconds hop) {
    route(from, to, [&](int number) {
      path.steps.push_back({&links_[static_cast<std::size_t>(number)], flits * flit_time, hop, {}});
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
  /// send() over a mesh whose routes are found link by link.
  template <class Notify>
  [[gnu::noinline]] Picoseconds send_far(TileId from, TileId to, Picoseconds& at, Picoseconds service,
                                         Picoseconds hop, Notify& notify) {
    Picoseconds waited = 0;
    topology_.route(from, to, [&](int number) { waited += pass(number, at, service, hop, notify); });
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
  std::vector<Resource> links_;
  // Of a mesh small enough for the host's caches: finding a route link by link takes longer than a packet.
  std::vector<std::uint32_t> routes_; ///< by both tiles: first of its links, and one past the last
  std::vector<std::uint16_t> route_links_;
};

} // namespace mesh
