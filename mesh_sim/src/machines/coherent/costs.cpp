// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/costs.hpp"

namespace mesh::coherent {

namespace {

/// Picoseconds that a line takes through so many GB/s.
Picoseconds slot(double gigabytes_per_second) {
  return gigabytes_per_second > 0 ? std::llround(static_cast<double>(line_size) * 1000 / gigabytes_per_second)
                                  : 0;
}

} // namespace

Costs::Costs(const Config& config)
    : hold(config.hold),
      misses(config.misses),
      scan_misses(config.scans == "in_order" ? 1 : config.misses),
      busy_sibling(config.busy_sibling),
      owned(config.owned),
      serial_reads(config.reads == "serial"),
      broadcasts(config.probes == "broadcast"),
      period_(1e6 / config.clock_mhz),
      nodes_(static_cast<int>(config.nodes)),
      cores_per_node_(static_cast<int>(config.cores_per_node)),
      nodes_per_socket_(static_cast<int>(config.nodes_per_socket)),
      leg_(cycles(config.leg)),
      home_penalty_(cycles(config.home_penalty)),
      has_detours_(leg_ > 0 || home_penalty_ > 0) {
  hit_load = cycles(config.hit_load);
  hit_store = cycles(config.hit_store);
  hit_atomic = cycles(config.hit_atomic);
  hit_line = cycles(config.hit_line);
  sibling = cycles(config.sibling);
  shared_hit = cycles(config.shared_hit);
  read_occupancy = cycles(config.read_occupancy);
  poll_gap = cycles(config.poll_gap);
  pause = cycles(config.pause);
  invalidation = cycles(config.invalidation);
  memory_read = slot(config.read_gbs);
  memory_write = slot(config.write_gbs);
  link = slot(config.link_gbs);
  futex_sleep = cycles(config.futex_sleep);
  futex_wake = cycles(config.futex_wake);
  futex_turnaround = cycles(config.futex_turnaround);
  for (std::size_t operation = 0; operation < operations; ++operation)
    for (std::size_t state = 0; state < states; ++state) {
      const auto& row = config.latency[operation][state];
      for (std::size_t place = 0; place < row.size(); ++place)
        latency_[operation][state][place] = cycles(row[place]);
    }
  for (int from = 0; from < nodes_; ++from)
    for (int to = 0; to < nodes_; ++to) places_.push_back(config.place(from, to));
}

} // namespace mesh::coherent
