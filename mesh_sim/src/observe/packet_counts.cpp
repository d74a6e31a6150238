// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/packet_counts.hpp"

namespace mesh {
namespace {

constexpr int most_tiles = 64; ///< whose ways are counted one by one: 64 KB of counts

} // namespace

PacketCounts::PacketCounts(const Topology& topology)
    : topology_(topology),
      tiles_(static_cast<std::size_t>(topology.tiles())),
      by_way_(topology.tiles() > most_tiles ? 0 : 2 * tiles_ * tiles_),
      by_link_(2 * static_cast<std::size_t>(topology.links())),
      ports_(tiles_),
      controllers_(static_cast<std::size_t>(topology.controllers())) {}

void PacketCounts::go_far(TileId from, TileId to, bool line, std::uint32_t packets) {
  topology_.route(
      from, to, [&](int link) { by_link_[static_cast<std::size_t>(link) * 2 + (line ? 1 : 0)] += packets; });
}

std::vector<PacketCounts::Passed> PacketCounts::passed(ResourceId::Kind kind) const {
  if (kind != ResourceId::Kind::link) {
    std::vector<Passed> all;
    for (const Served& one : kind == ResourceId::Kind::mpb_port ? ports_ : controllers_)
      all.push_back({one.packets, one.packets * line_bytes, one.busy});
    return all;
  }
  std::vector<std::uint64_t> packets = by_link_;
  for (std::size_t i = 0; i < by_way_.size(); ++i) {
    if (by_way_[i] == 0) continue;
    const std::size_t pair = i / 2;
    topology_.route(TileId{static_cast<int>(pair / tiles_)}, TileId{static_cast<int>(pair % tiles_)},
                    [&](int link) { packets[static_cast<std::size_t>(link) * 2 + i % 2] += by_way_[i]; });
  }
  std::vector<Passed> all(packets.size() / 2);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    Passed& link = all[i / 2];
    const Packet& packet = packets_[i % 2];
    link.packets += packets[i];
    link.bytes += packets[i] * packet.bytes;
    link.busy += static_cast<Picoseconds>(packets[i]) * packet.busy;
  }
  return all;
}

} // namespace mesh
