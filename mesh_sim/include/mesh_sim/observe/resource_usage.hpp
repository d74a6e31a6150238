// SPDX-License-Identifier: Apache-2.0
// Statistics of links, message-passing buffers' ports and memory controllers: what has passed each, how long
// that took, and how long the queues were. The machine adds that up itself.
#pragma once

#include <functional>
#include <string>

#include "mesh_sim/observe/packet_counts.hpp"
#include "mesh_sim/observe/queues.hpp"
#include "mesh_sim/observe/statistics.hpp"

namespace mesh {

class ResourceUsage {
 public:
  explicit ResourceUsage(const Topology& topology) : packets_(topology), queues_(topology) {}

  // For Observers::add_up().
  [[nodiscard]] PacketCounts& packets() noexcept { return packets_; }
  [[nodiscard]] Queues& queues() noexcept { return queues_; }

  /// After the run, which has ended at `end`; `name` gives the name of a resource.
  void report(Statistics& to, const std::function<std::string(ResourceId)>& name, Picoseconds end) const;

 private:
  PacketCounts packets_;
  Queues queues_;
};

} // namespace mesh
