// SPDX-License-Identifier: Apache-2.0
// What links, MPB ports and memory controllers have served, by events: of a part of a run, which the counts
// that the machine adds up itself (resource_usage.hpp) do not know. Queues have their sum only.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "mesh_sim/observe/observer.hpp"
#include "mesh_sim/observe/packet_counts.hpp"
#include "mesh_sim/observe/statistics.hpp"

namespace mesh {

class Served final : public Observer {
 public:
  [[nodiscard]] EventMask wants() const override { return EventMask::resources; }
  void served(const Service& service) override {
    Sum& sum = sums_[{service.resource.kind, service.resource.number}];
    sum.passed.packets += service.packets;
    sum.passed.bytes += service.bytes;
    sum.passed.busy += service.busy;
    sum.queued += service.queued;
  }

  /// As ResourceUsage::report().
  void report(Statistics& to, const std::function<std::string(ResourceId)>& name, Picoseconds end) const;

 private:
  struct Sum {
    PacketCounts::Passed passed;
    Picoseconds queued = 0;
  };
  std::map<std::pair<ResourceId::Kind, int>, Sum> sums_;
};

} // namespace mesh
