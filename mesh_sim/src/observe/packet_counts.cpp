// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/packet_counts.hpp"

namespace mesh {
namespace {

constexpr int most_tiles = 64; ///< whose ways are counted one by one: some 70 KB of counts

} // namespace

PacketCounts::PacketCounts(const Topology& topology)
    : topology_(topology),
      tiles_(static_cast<std::size_t>(topology.tiles())),
      all_servers_(tiles_ + static_cast<std::size_t>(topology.controllers())),
      packets_(2 * static_cast<std::size_t>(topology.links())),
      servers_(all_servers_),
      by_way_(topology.tiles() > most_tiles ? 0 : 2 * tiles_ * all_servers_),
      by_link_(2 * static_cast<std::size_t>(topology.links())),
      by_server_(all_servers_) {}

void PacketCounts::set_service(ResourceId server, Picoseconds service) {
  const std::size_t number = place(server);
  const std::uint64_t lines = served(number);
  Server& one = servers_[number];
  one.busy += static_cast<Picoseconds>(lines - one.lines) * one.service;
  one.lines = lines;
  one.service = service;
}

TileId PacketCounts::tile_of(std::size_t server) const noexcept {
  return server < tiles_ ? TileId{static_cast<int>(server)}
                         : topology_.controller_tile(static_cast<int>(server - tiles_));
}

/// visit(link, line) for each link on the way, twice where a header goes there and a line comes back.
template <class Visit>
void PacketCounts::go(TileId from, TileId to, bool back, Visit&& visit) const {
  topology_.route(from, to, [&](int link) { visit(static_cast<std::size_t>(link), !back); });
  if (back) topology_.route(to, from, [&](int link) { visit(static_cast<std::size_t>(link), true); });
}

void PacketCounts::count_far(TileId from, ResourceId server, bool back, std::uint32_t lines) {
  const std::size_t number = place(server);
  by_server_[number] += lines;
  go(from, tile_of(number), back,
     [&](std::size_t link, bool line) { by_link_[2 * link + (line ? 1 : 0)] += lines; });
}

void PacketCounts::count_packet(TileId from, TileId to, bool line) {
  topology_.route(from, to,
                  [&](int link) { ++by_link_[2 * static_cast<std::size_t>(link) + (line ? 1 : 0)]; });
}

/// Lines that it has served so far.
std::uint64_t PacketCounts::served(std::size_t server) const noexcept {
  std::uint64_t lines = by_server_[server];
  for (std::size_t way = 2 * server; way < by_way_.size(); way += 2 * all_servers_)
    lines += by_way_[way] + by_way_[way + 1];
  return lines;
}

std::vector<PacketCounts::Passed> PacketCounts::passed(ResourceId::Kind kind) const {
  if (kind == ResourceId::Kind::link) return passed_links();
  const bool ports = kind == ResourceId::Kind::mpb_port;
  std::vector<Passed> all;
  for (std::size_t i = ports ? 0 : tiles_; i < (ports ? tiles_ : all_servers_); ++i) {
    const std::uint64_t lines = served(i);
    const Server& server = servers_[i];
    all.push_back({lines, lines * line_bytes,
                   server.busy + static_cast<Picoseconds>(lines - server.lines) * server.service});
  }
  return all;
}

std::vector<PacketCounts::Passed> PacketCounts::passed_links() const {
  std::vector<std::uint64_t> packets = by_link_;
  for (std::size_t i = 0; i < by_way_.size(); ++i) {
    if (by_way_[i] == 0) continue;
    const std::size_t pair = i / 2;
    go(TileId{static_cast<int>(pair / all_servers_)}, tile_of(pair % all_servers_), i % 2 != 0,
       [&](std::size_t link, bool line) { packets[2 * link + (line ? 1 : 0)] += by_way_[i]; });
  }
  std::vector<Passed> all(packets.size() / 2);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    Passed& link = all[i / 2];
    const Packet& packet = packets_[i];
    link.packets += packets[i];
    link.bytes += packets[i] * packet.bytes;
    link.busy += static_cast<Picoseconds>(packets[i]) * packet.busy;
  }
  return all;
}

} // namespace mesh
