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

void ResourceUsage::queued(const Service& service) {
  std::vector<Waits>& all = waits_[static_cast<std::size_t>(service.resource.kind)];
  const auto number = static_cast<std::size_t>(service.resource.number);
  if (number >= all.size()) [[unlikely]]
    all.resize(number + 1);
  Waits& waits = all[number];
  waits.queued += service.queued;
  waits.longest =
      std::max(waits.longest, service.waiting == 1 ? service.queued : service.queued / service.waiting);
  waits.worst_queue = std::max(waits.worst_queue, join(waits.queue, service));
}

std::uint32_t ResourceUsage::join(Queue& queue, const Service& service) {
  const std::size_t size = queue.cores.size();
  const int* const cores = queue.cores.data();
  const Picoseconds *const from = queue.from.data(), *const until = queue.until.data(), now = service.from;
  // Without branches, of which the host would guess many wrongly.
  std::uint32_t length = 1;
  std::size_t own = size;
  for (std::size_t i = 0; i < size; ++i) {
    const bool other = cores[i] != service.core;
    own = other ? own : i;
    length += static_cast<std::uint32_t>(other & (from[i] <= now) & (now < until[i]));
  }
  if (own == size) {
    if (size > 2 * queue.swept + 8) sweep(queue, now);
    own = queue.cores.size();
    queue.cores.push_back(service.core);
    queue.from.emplace_back();
    queue.until.emplace_back();
  }
  queue.from[own] = now;
  queue.until[own] = now + service.queued;
  return length;
}

void ResourceUsage::sweep(Queue& queue, Picoseconds now) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < queue.cores.size(); ++i) {
    if (queue.until[i] + longest_way < now) continue;
    queue.cores[kept] = queue.cores[i];
    queue.from[kept] = queue.from[i];
    queue.until[kept++] = queue.until[i];
  }
  queue.cores.resize(kept);
  queue.from.resize(kept);
  queue.until.resize(kept);
  queue.swept = kept;
}

void ResourceUsage::report(Statistics& to, const std::function<std::string(ResourceId)>& name,
                           Picoseconds end) const {
  for (const auto kind : {ResourceId::Kind::link, ResourceId::Kind::mpb_port, ResourceId::Kind::controller}) {
    const Kinds& kinds = kinds_of[static_cast<std::size_t>(kind)];
    const std::vector<PacketCounts::Passed> all = packets_.passed(kind);
    const std::vector<Waits>& all_waits = waits_[static_cast<std::size_t>(kind)];
    const Waits none;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const PacketCounts::Passed& passed = all[i];
      if (passed.packets == 0) continue;
      const Waits& waits = i < all_waits.size() ? all_waits[i] : none;
      const Labels labels{{kinds.label, name({kind, static_cast<int>(i)})}};
      add(to, kinds.busy, labels, to_microseconds(passed.busy));
      add(to, kinds.share, labels,
          end == 0 ? 0 : 100 * static_cast<double>(passed.busy) / static_cast<double>(end));
      add(to, kinds.packets, labels, static_cast<double>(passed.packets));
      add(to, kinds.queued, labels, to_microseconds(waits.queued));
      add(to, kinds.bytes, labels, static_cast<double>(passed.bytes));
      add(to, kinds.worst_queue, labels, waits.worst_queue);
      add(to, kinds.longest_wait, labels, to_microseconds(waits.longest));
    }
  }
}

} // namespace mesh
