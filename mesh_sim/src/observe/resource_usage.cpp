// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/resource_usage.hpp"

#include "mesh_sim/observe/served.hpp"
#include "mesh_sim/observe/statistics.hpp"

namespace mesh {
namespace {

struct Kinds {
  const char* label;
  StatisticKind busy, share, packets, queued, bytes, worst_queue, longest_wait;
};
/// By kind of the resource.
constexpr Kinds kinds_of[] = {
    {"link",
     {"link.busy", "us", "time during which packets pass"},
     {"link.share", "%", "that time's part of the run"},
     {"link.packets", "1", "packets passed"},
     {"link.queued", "us", "time that cores have waited there for other packets"},
     {"link.bytes", "bytes", "size of all flits passed, including headers"},
     {"link.worst_queue", "packets", "most packets that have waited there at one moment"},
     {"link.longest_wait", "us", "the longest that one packet has waited there"}},
    {"port",
     {"mpb_port.busy", "us", "time during which lines are served"},
     {"mpb_port.share", "%", "that time's part of the run"},
     {"mpb_port.packets", "lines", "lines served"},
     {"mpb_port.queued", "us", "time that cores have waited there for other packets"},
     {"mpb_port.bytes", "bytes", "bytes of the lines served"},
     {"mpb_port.worst_queue", "lines", "most lines that have waited there at one moment"},
     {"mpb_port.longest_wait", "us", "the longest that one line has waited there"}},
    {"controller",
     {"controller.busy", "us", "time during which lines are served"},
     {"controller.share", "%", "that time's part of the run"},
     {"controller.packets", "lines", "lines served"},
     {"controller.queued", "us", "time that cores have waited there for other packets"},
     {"controller.bytes", "bytes", "bytes of the lines served"},
     {"controller.worst_queue", "lines", "most lines that have waited there at one moment"},
     {"controller.longest_wait", "us", "the longest that one line has waited there"}}};

void add_resource(Statistics& to, ResourceId resource, const std::string& name,
                  const PacketCounts::Passed& passed, const Queues::Waits& waits, Picoseconds end) {
  const Kinds& kinds = kinds_of[static_cast<std::size_t>(resource.kind)];
  const Labels labels{{kinds.label, name}};
  add(to, kinds.busy, labels, microseconds(passed.busy));
  add(to, kinds.share, labels,
      end == 0 ? 0 : 100 * static_cast<double>(passed.busy) / static_cast<double>(end));
  add(to, kinds.packets, labels, static_cast<double>(passed.packets));
  add(to, kinds.queued, labels, microseconds(waits.sum));
  add(to, kinds.bytes, labels, static_cast<double>(passed.bytes));
  add(to, kinds.worst_queue, labels, waits.worst_queue);
  add(to, kinds.longest_wait, labels, microseconds(waits.longest));
}

} // namespace

void ResourceUsage::report(Statistics& to, const std::function<std::string(ResourceId)>& name,
                           Picoseconds end) const {
  for (const auto kind : {ResourceId::Kind::link, ResourceId::Kind::mpb_port, ResourceId::Kind::controller}) {
    const std::vector<PacketCounts::Passed> all = packets_.passed(kind);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const ResourceId resource{kind, static_cast<int>(i)};
      if (all[i].packets > 0) add_resource(to, resource, name(resource), all[i], queues_.of(resource), end);
    }
  }
}

void Served::report(Statistics& to, const std::function<std::string(ResourceId)>& name,
                    Picoseconds end) const {
  for (const auto& [id, sum] : sums_) {
    const ResourceId resource{id.first, id.second};
    add_resource(to, resource, name(resource), sum.passed, {sum.queued, 0, 0}, end);
  }
}

} // namespace mesh
