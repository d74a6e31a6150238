// SPDX-License-Identifier: Apache-2.0
// How many lines have gone each way, which machines count as they send them: less work than an event for
// each link that a packet passes. What has passed a link follows from the routes, once, after the run, and
// how long ports and controllers were busy from what each of their lines took. Packets of atomic counters,
// which no port serves, are counted link by link.
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

  /// The work of a link for one packet.
  struct Packet {
    Picoseconds busy = 0;
    std::uint64_t bytes = 0; ///< width of its flits
  };
  /// Before the run: a link's packets without a line, and with one.
  void set_packets(int link, const Packet& header, const Packet& line) noexcept {
    packets_[2 * static_cast<std::size_t>(link)] = header;
    packets_[2 * static_cast<std::size_t>(link) + 1] = line;
  }

  /// Each line that a port or controller serves from now on takes so long there.
  void set_service(ResourceId server, Picoseconds service);

  /// Adds time that its packets have taken.
  void add_busy(ResourceId server, Picoseconds more) noexcept { servers_[place(server)].busy += more; }

  /// Lines go from the tile of their core to a port or controller; `back`: a header goes there and the line
  /// comes back.
  void count(TileId from, ResourceId server, bool back, std::uint32_t lines) {
    if (by_way_.empty()) [[unlikely]]
      return count_far(from, server, back, lines);
    by_way_[way(from, server, back)] += lines;
  }
  /// A packet that no port or controller serves goes from tile to tile, with a line or without.
  void count_packet(TileId from, TileId to, bool line);
  /// The number that count() adds to, valid as long as this object lives; null on a mesh with too many ways
  /// for that.
  [[nodiscard]] std::uint64_t* counter(TileId from, ResourceId server, bool back) noexcept {
    return by_way_.empty() ? nullptr : &by_way_[way(from, server, back)];
  }

  /// The packets that have passed a resource.
  struct Passed {
    std::uint64_t packets = 0, bytes = 0;
    Picoseconds busy = 0;
    bool operator==(const Passed&) const = default;
  };
  /// The counts of all resources of a kind, by number.
  [[nodiscard]] std::vector<Passed> passed(ResourceId::Kind kind) const;

 private:
  struct Server {
    Picoseconds service = 0; ///< present time of a line
    Picoseconds busy = 0;    ///< with the lines of other times
    std::uint64_t lines = 0; ///< ... and how many these were
  };
  void count_far(TileId from, ResourceId server, bool back, std::uint32_t lines);
  /// Ports by their tiles, then controllers.
  [[nodiscard]] std::size_t place(ResourceId server) const noexcept {
    return static_cast<std::size_t>(server.number) +
        (server.kind == ResourceId::Kind::controller ? tiles_ : 0);
  }
  [[nodiscard]] std::size_t way(TileId from, ResourceId server, bool back) const noexcept {
    return (static_cast<std::size_t>(index(from)) * all_servers_ + place(server)) * 2 + (back ? 1 : 0);
  }
  [[nodiscard]] TileId tile_of(std::size_t server) const noexcept;
  [[nodiscard]] std::uint64_t served(std::size_t server) const noexcept;
  [[nodiscard]] std::vector<Passed> passed_links() const;
  /// Lines along their way, and headers, if they come back.
  template <class Visit>
  void go(TileId from, TileId to, bool back, Visit&& visit) const;

  Topology topology_;
  std::size_t tiles_, all_servers_;
  std::vector<Packet> packets_; ///< by link: without a line, and with one
  std::vector<Server> servers_;
  /// By tile and server, there and back from there.
  std::vector<std::uint64_t> by_way_;
  /// Packets without a line and with one by link, of what no way above counts.
  std::vector<std::uint64_t> by_link_;
  std::vector<std::uint64_t> by_server_; ///< lines, on a mesh with too many ways
};

} // namespace mesh
