// SPDX-License-Identifier: Apache-2.0
// How many packets have gone each way, which machines count as they send them: less work than an event for
// each link that a packet passes. What has passed a link follows from the routes, once, after the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh_sim/parts/resource_id.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "mesh_sim/units.hpp"

namespace mesh {

class PacketCounts {
 public:
  explicit PacketCounts(const Topology& topology);

  /// What a link has to do with one packet.
  struct Packet {
    Picoseconds busy = 0;
    std::uint64_t bytes = 0; ///< width of its flits
  };
  /// Before the run: of packets without a line, and with one.
  void set_packets(const Packet& header, const Packet& line) noexcept {
    packets_[0] = header;
    packets_[1] = line;
  }

  /// Lines go from the tile of their core to a port or controller on the tile `to`, which takes `service` for
  /// each; `back`: a header goes there and the line comes back.
  void count(TileId from, TileId to, bool back, ResourceId server, Picoseconds service, std::uint32_t lines) {
    go(from, to, !back, lines);
    Served& one =
        (server.kind == ResourceId::Kind::controller ? controllers_
                                                     : ports_)[static_cast<std::size_t>(server.number)];
    one.packets += lines;
    one.busy += lines * service;
    if (back) go(to, from, true, lines);
  }

  /// What has passed a resource.
  struct Passed {
    std::uint64_t packets = 0, bytes = 0;
    Picoseconds busy = 0;
    bool operator==(const Passed&) const = default;
  };
  /// Of all resources of a kind, by number.
  [[nodiscard]] std::vector<Passed> passed(ResourceId::Kind kind) const;

 private:
  struct Served {
    std::uint64_t packets = 0;
    Picoseconds busy = 0;
  };
  void go(TileId from, TileId to, bool line, std::uint32_t packets) {
    if (by_way_.empty()) [[unlikely]]
      return go_far(from, to, line, packets);
    by_way_[way(from, to) * 2 + (line ? 1 : 0)] += packets;
  }
  void go_far(TileId from, TileId to, bool line, std::uint32_t packets);
  [[nodiscard]] std::size_t way(TileId from, TileId to) const noexcept {
    return static_cast<std::size_t>(index(from)) * tiles_ + static_cast<std::size_t>(index(to));
  }

  Topology topology_;
  std::size_t tiles_;
  Packet packets_[2];
  // Each for packets without a line and with one, in turn. On a mesh with too many pairs of tiles packets are
  // counted link by link.
  std::vector<std::uint64_t> by_way_, by_link_;
  std::vector<Served> ports_, controllers_;
};

} // namespace mesh
