#include "mesh_sim/observe/resource_usage.hpp"

#include <algorithm>

namespace mesh {
namespace {

/// Packets are told of in the order in which their cores set out for them. One that has a shorter way may so
/// arrive before another that has been told of earlier, but by less than this.
constexpr Picoseconds longest_way = 1'000'000;

struct Kinds {
  const char* label;
  StatisticKind busy, share, packets, queued, bytes, worst_queue, longest_wait;
};
/// By kind of the resource.
constexpr Kinds kinds_of[] = {
    {"link",
     {"link.busy", "us", "time in which packets pass"},
     {"link.share", "%", "that time's part of the run"},
     {"link.packets", "1", "packets passed"},
     {"link.queued", "us", "what cores have waited there for others"},
     {"link.bytes", "bytes", "width of all flits passed, headers among them"},
     {"link.worst_queue", "packets", "most that have waited there at one moment"},
     {"link.longest_wait", "us", "the longest that one packet has waited there"}},
    {"port",
     {"mpb_port.busy", "us", "time in which lines are served"},
     {"mpb_port.share", "%", "that time's part of the run"},
     {"mpb_port.packets", "lines", "lines served"},
     {"mpb_port.queued", "us", "what cores have waited there for others"},
     {"mpb_port.bytes", "bytes", "of these lines"},
     {"mpb_port.worst_queue", "lines", "most that have waited there at one moment"},
     {"mpb_port.longest_wait", "us", "the longest that one line has waited there"}},
    {"controller",
     {"controller.busy", "us", "time in which lines are served"},
     {"controller.share", "%", "that time's part of the run"},
     {"controller.packets", "lines", "lines served"},
     {"controller.queued", "us", "what cores have waited there for others"},
     {"controller.bytes", "bytes", "of these lines"},
     {"controller.worst_queue", "lines", "most that have waited there at one moment"},
     {"controller.longest_wait", "us", "the longest that one line has waited there"}}};

double to_microseconds(Picoseconds time) {
  return static_cast<double>(time) / picoseconds_per_microsecond;
}

} // namespace

void ResourceUsage::served(const Service& service) {
  std::vector<Load>& loads = loads_[static_cast<std::size_t>(service.resource.kind)];
  const auto number = static_cast<std::size_t>(service.resource.number);
  if (number >= loads.size()) [[unlikely]]
    loads.resize(number + 1);
  Load& load = loads[number];
  load.busy += service.busy;
  load.packets += service.packets;
  load.bytes += service.bytes;
  if (service.queued > 0) join_queue(load, service);
}

void ResourceUsage::join_queue(Load& load, const Service& service) {
  load.queued += service.queued;
  load.longest_wait = std::max(load.longest_wait, service.queued / service.waiting);
  std::vector<Waiting>& queue = load.queue;
  std::uint32_t length = 1;
  for (std::size_t i = 0; i < queue.size();) {
    const Waiting& other = queue[i];
    if (other.core == service.core || other.until + longest_way < service.from) {
      queue[i] = queue.back();
      queue.pop_back();
      continue;
    }
    if (other.from <= service.from && service.from < other.until) ++length;
    ++i;
  }
  load.worst_queue = std::max(load.worst_queue, length);
  queue.push_back({service.core, service.from, service.from + service.queued});
}

void ResourceUsage::report(Statistics& to, const std::function<std::string(ResourceId)>& name,
                           Picoseconds end) const {
  for (const auto kind : {ResourceId::Kind::link, ResourceId::Kind::mpb_port, ResourceId::Kind::controller}) {
    const Kinds& kinds = kinds_of[static_cast<std::size_t>(kind)];
    const std::vector<Load>& loads = loads_[static_cast<std::size_t>(kind)];
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const Load& load = loads[i];
      if (load.packets == 0) continue;
      const Labels labels{{kinds.label, name({kind, static_cast<int>(i)})}};
      add(to, kinds.busy, labels, to_microseconds(load.busy));
      add(to, kinds.share, labels,
          end == 0 ? 0 : 100 * static_cast<double>(load.busy) / static_cast<double>(end));
      add(to, kinds.packets, labels, static_cast<double>(load.packets));
      add(to, kinds.queued, labels, to_microseconds(load.queued));
      add(to, kinds.bytes, labels, static_cast<double>(load.bytes));
      add(to, kinds.worst_queue, labels, load.worst_queue);
      add(to, kinds.longest_wait, labels, to_microseconds(load.longest_wait));
    }
  }
}

} // namespace mesh
