// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/observe/packet_counts.hpp"
#include "mesh_sim/observe/queues.hpp"

namespace mesh::scc {

namespace {

constexpr unsigned rate_bits = 40; ///< a picosecond's part of a block's time, as a fraction

} // namespace

Traffic::Traffic(Kernel& kernel, const SccCosts& costs, ProbeSet& probes)
    : kernel_(kernel),
      costs_(costs),
      probes_(probes),
      network_(costs.topology()),
      contention_(costs.config().contention),
      flit_time_(costs.mesh_cycles(1)),
      hop_(costs.mesh_cycles(costs.config().router_cycles)),
      data_flits_(1 +
                  static_cast<int>((static_cast<std::int64_t>(line_bytes) + costs.config().link_bytes - 1) /
                                   costs.config().link_bytes)),
      controller_line_(
          std::llround(static_cast<double>(line_bytes) * 1000 / costs.config().controller_gb_per_s)),
      header_bytes_(static_cast<std::uint64_t>(costs.config().link_bytes)),
      packet_bytes_(static_cast<std::uint64_t>(data_flits_) * header_bytes_),
      port_service_(static_cast<std::size_t>(costs.topology().tiles())),
      ports_(resources(ResourceId::Kind::mpb_port, costs.topology().tiles())),
      controllers_(resources(ResourceId::Kind::controller, costs.topology().controllers())),
      to_controller_(static_cast<std::size_t>(costs.topology().cores())) {}

void Traffic::set_observers(const Observers* observers) {
  packets_ = observers == nullptr ? nullptr : observers->packets();
  queues_ = observers == nullptr ? nullptr : observers->queues();
  all_observed_ = probes_.want(EventMask::resources);
  watched_ = packets_ != nullptr || all_observed_;
  if (packets_ == nullptr) return;
  packets_->set_packets({flit_time_, header_bytes_}, {data_flits_ * flit_time_, packet_bytes_});
  for (std::size_t tile = 0; tile < ports_.size(); ++tile)
    packets_->set_service(ports_[tile].id(), port_service_[tile]);
  for (const Resource& controller : controllers_) packets_->set_service(controller.id(), controller_line_);
}

void Traffic::set_tile_cycle(int tile, Picoseconds cycle) {
  const auto port = static_cast<std::size_t>(tile);
  port_service_[port] = costs_.config().mpb_port_cycles * cycle;
  if (packets_ != nullptr) packets_->set_service(ports_[port].id(), port_service_[port]);
}

[[gnu::always_inline]] inline void Traffic::count(const CoreState& core, const Route& path,
                                                  std::uint32_t lines) {
  if (path.lines != nullptr)
    *path.lines += lines;
  else if (packets_ != nullptr)
    packets_->count(core.tile, path.server, path.back, lines);
}

std::uint64_t* Traffic::counter(const CoreState& core, ResourceId server, bool back) {
  return packets_ == nullptr ? nullptr : packets_->counter(core.tile, server, back);
}

[[gnu::noinline]] void Traffic::tell_served(const Resource& resource, Picoseconds from, Picoseconds queued,
                                            Picoseconds service, std::uint32_t packets, bool beside) {
  const ResourceId id = resource.id();
  const Picoseconds busy = packets * service;
  // On a link a packet is a header, or a header and a line.
  const std::uint64_t bytes = id.kind != ResourceId::Kind::link ? line_bytes
      : service == flit_time_                                   ? header_bytes_
                                                                : packet_bytes_;
  const Service served{id,     kernel_.current(), packets, from, from + queued + busy, busy, queued,
                       beside, packets * bytes};
  probes_.notify(&Observer::served, EventMask::resources, served);
}

// For the templates below. Each is told of a resource or, of a copy's lines, of a leg of its way.
/// Tells who waits where nobody wants to hear of the others: there are queues then.
class Traffic::TellQueues {
 public:
  explicit TellQueues(Traffic& traffic) : traffic_(traffic) {}
  void operator()(const Resource& resource, Picoseconds from, Picoseconds queued, Picoseconds service,
                  std::uint32_t /*packets*/) const {
    if (queued > 0) [[unlikely]]
      Queues::wait(traffic_.queues_->queue(resource.id()), traffic_.kernel_.current(), from, queued, service);
  }
  void operator()(RouteStep& step, Picoseconds from, Picoseconds queued, std::uint32_t /*packets*/) const {
    if (queued > 0) [[unlikely]]
      queue_line(step, traffic_.kernel_.current(), from, queued);
  }

 private:
  Traffic& traffic_;
};
/// Tells all.
class Traffic::TellAll {
 public:
  explicit TellAll(Traffic& traffic) : traffic_(traffic) {}
  void operator()(const Resource& resource, Picoseconds from, Picoseconds queued, Picoseconds service,
                  std::uint32_t packets) const {
    traffic_.tell_served(resource, from, queued, service, packets);
    if (traffic_.queues_ != nullptr) TellQueues{traffic_}(resource, from, queued, service, packets);
  }
  void operator()(RouteStep& step, Picoseconds from, Picoseconds queued, std::uint32_t packets) const {
    traffic_.tell_served(*step.resource, from, queued, step.service, packets);
    if (traffic_.queues_ != nullptr) TellQueues{traffic_}(step, from, queued, packets);
  }

 private:
  Traffic& traffic_;
};

/// Waiting of a line that sets out at `start`, which stands for `packets` alike that nobody meets.
template <class Notify>
[[gnu::always_inline]] inline Picoseconds Traffic::waits(Route& path, Picoseconds start,
                                                         std::uint32_t packets, Notify&& notify) {
  Picoseconds waited = 0;
  for (RouteStep& step : path.steps) {
    const Picoseconds wait = step.resource->serve(start, step.service);
    notify(step, start, wait, packets);
    waited += wait;
    start += wait + step.hop;
  }
  return waited;
}

/// Waiting of one line for links and the MPB's port. It sets out when its request or store does.
template <class Notify>
[[gnu::always_inline]] inline Picoseconds Traffic::mesh_waits(const CoreState& core, const RouteCost& path,
                                                              Picoseconds at, bool reading, Notify&& notify) {
  Picoseconds waited =
      network_.send(core.tile, path.tile, at, reading ? 1 : data_flits_, flit_time_, hop_, notify);
  const auto tile = static_cast<std::size_t>(index(path.tile));
  const Picoseconds service = port_service_[tile];
  const Picoseconds port = ports_[tile].serve(at, service);
  notify(ports_[tile], at, port, service, 1);
  at += port;
  waited += port;
  if (reading) waited += network_.send(path.tile, core.tile, at, data_flits_, flit_time_, hop_, notify);
  return waited;
}

// The same several times: with a `tell` that does nothing, and apart from that.

[[gnu::noinline]] Picoseconds Traffic::mesh_waits_untold(const CoreState& core, const RouteCost& path,
                                                         Picoseconds at, bool reading) {
  return mesh_waits(core, path, at, reading, [](auto&&...) {});
}

/// By itself: whoever calls it keeps no more than for one of them.
[[gnu::noinline]] Picoseconds Traffic::mesh_waits(const CoreState& core, const RouteCost& path,
                                                  Picoseconds at, bool reading) {
  if (watched()) [[unlikely]]
    return mesh_waits_told(core, path, at, reading);
  return mesh_waits_untold(core, path, at, reading);
}

[[gnu::noinline]] Picoseconds Traffic::mesh_waits_told(const CoreState& core, const RouteCost& path,
                                                       Picoseconds at, bool reading) {
  const ResourceId port{ResourceId::Kind::mpb_port, index(path.tile)};
  if (packets_ != nullptr) packets_->count(core.tile, port, reading, 1);
  if (all_observed_) return mesh_waits_all_told(core, path, at, reading);
  return mesh_waits(core, path, at, reading, TellQueues{*this});
}

[[gnu::noinline]] Picoseconds Traffic::mesh_waits_all_told(const CoreState& core, const RouteCost& path,
                                                           Picoseconds at, bool reading) {
  return mesh_waits(core, path, at, reading, TellAll{*this});
}

void Traffic::find_queues(Route& path) {
  if (queues_ == nullptr) return;
  for (RouteStep& step : path.steps) step.queue = &queues_->queue(step.resource->id());
}

void Traffic::find_route(Route& path, const CoreState& core, TileId tile, bool reading) {
  const auto port = static_cast<std::size_t>(index(tile));
  const ResourceId server = ports_[port].id();
  path = {.steps = std::move(path.steps),
          .back = reading,
          .server = server,
          .lines = counter(core, server, reading)};
  path.steps.clear();
  network_.add_route(path, core.tile, tile, reading ? 1 : data_flits_, flit_time_, hop_);
  path.steps.push_back({.resource = &ports_[port], .service = port_service_[port], .hop = 0, .share = {}});
  if (reading) network_.add_route(path, tile, core.tile, data_flits_, flit_time_, hop_);
  find_queues(path);
}

void Traffic::renew_port(Route& path, int tile) noexcept {
  const auto port = static_cast<std::size_t>(tile);
  for (RouteStep& step : path.steps)
    if (step.resource == &ports_[port]) step.service = port_service_[port];
}

/// To the core's memory controller and back.
Route& Traffic::route_to_controller(const CoreState& core) {
  Route& path = to_controller_[costs_.number_of(core)];
  if (!path.steps.empty() || !contention_) return path;
  const TileId tile = costs_.topology().controller_tile(core.controller);
  Resource& controller = controllers_[static_cast<std::size_t>(core.controller)];
  path = {
      .steps = {}, .back = true, .server = controller.id(), .lines = counter(core, controller.id(), true)};
  network_.add_route(path, core.tile, tile, 1, flit_time_, hop_);
  path.steps.push_back({.resource = &controller, .service = controller_line_, .hop = 0, .share = {}});
  network_.add_route(path, tile, core.tile, data_flits_, flit_time_, hop_);
  find_queues(path);
  return path;
}

void Traffic::charge(const CoreState& core, const RouteCost& path, Picoseconds time, const Work& work,
                     bool reading, Picoseconds ahead) {
  if (!contention_) return kernel_.advance(time - ahead);
  const Picoseconds issue = kernel_.now() - ahead;
  Picoseconds waited = mesh_waits(core, path, issue, reading);
  if (work.dram > 0) waited += controller_waits(core, work, issue);
  kernel_.advance(time - ahead + waited);
}

/// Waiting of one of several lines for the memory controller. Of the words of a line that are stored one by
/// one the first stands for all: they come so far apart that they hardly meet others.
template <class Notify>
[[gnu::always_inline]] inline Picoseconds Traffic::controller_waits(const CoreState& core, const Work& work,
                                                                    Picoseconds start, Notify&& notify) {
  Route& path = route_to_controller(core);
  const std::uint32_t fetches = work.fetch == 0 ? 0 : work.dram / 2;
  const Picoseconds waited = waits(path, start, work.dram - fetches, notify);
  return work.fetch == 0 ? waited : waited + waits(path, start + waited + work.fetch, fetches, notify);
}

Picoseconds Traffic::controller_waits(const CoreState& core, const Work& work, Picoseconds start) {
  if (watched()) [[unlikely]]
    return controller_waits_told(core, work, start);
  return controller_waits(core, work, start, [](auto&&...) {});
}

[[gnu::noinline]] Picoseconds Traffic::controller_waits_told(const CoreState& core, const Work& work,
                                                             Picoseconds start) {
  count(core, route_to_controller(core), work.dram);
  return all_observed_ ? controller_waits(core, work, start, TellAll{*this})
                       : controller_waits(core, work, start, TellQueues{*this});
}

Picoseconds Traffic::copy_waits(const CoreState& core, Route& to_mpb, const Work& work, Picoseconds issue,
                                std::uint32_t lines) {
  if (watched()) [[unlikely]]
    return copy_waits_observed(core, to_mpb, work, issue, lines);
  const Picoseconds waited = waits(to_mpb, issue, lines, [](auto&&...) {});
  return work.dram == 0 ? waited : waited + controller_waits(core, work, issue);
}

[[gnu::noinline]] Picoseconds Traffic::copy_waits_observed(const CoreState& core, Route& to_mpb,
                                                           const Work& work, Picoseconds issue,
                                                           std::uint32_t lines) {
  count(core, to_mpb, lines);
  const Picoseconds waited = all_observed_ ? waits(to_mpb, issue, lines, TellAll{*this})
                                           : waits(to_mpb, issue, lines, TellQueues{*this});
  return work.dram == 0 ? waited : waited + controller_waits_told(core, work, issue);
}

Picoseconds Traffic::together(const CoreState& core, const Route& to_mpb) {
  const RouteStep& first = to_mpb.steps.front();
  return first.resource == route_to_controller(core).steps.front().resource ? first.service : 0;
}

/// A copy's line waits so long on its leg; where the copy waits already, as a part of that.
[[gnu::always_inline]] inline void Traffic::queue_line(RouteStep& step, int core, Picoseconds from,
                                                       Picoseconds queued) {
  if (step.waited == 0) return Queues::wait(*step.queue, core, from, queued, step.service);
  step.waited += queued;
  step.longest = std::max(step.longest, queued);
}

/// Each packet of a copy's next block waits so long on its leg.
[[gnu::always_inline]] inline void Traffic::queue_block(RouteStep& step, Picoseconds now, Picoseconds each,
                                                        std::uint32_t packets) {
  if (each == 0) {
    if (step.waited > 0) [[unlikely]]
      leave_queue(step);
    return;
  }
  if (step.waited == 0) [[unlikely]]
    Queues::join(*step.queue, now);
  step.waited += each * packets;
  step.longest = std::max(step.longest, each);
}

[[gnu::noinline]] void Traffic::leave_queue(RouteStep& step) noexcept {
  Queues::leave(*step.queue, step.waited, step.longest);
  step.waited = step.longest = 0;
}

void Traffic::withdraw(Route& path) noexcept {
  for (RouteStep& step : path.steps) {
    step.resource->change_share(step.share, {});
    if (step.waited > 0) [[unlikely]]
      leave_queue(step);
  }
}

void Traffic::withdraw(const CoreState& core, Route& to_mpb, bool at_controller) noexcept {
  withdraw(to_mpb);
  if (at_controller) withdraw(route_to_controller(core));
}

/// Of a block of packets that goes beside others, `tell` hears how long each waits on each leg.
template <class Notify>
[[gnu::always_inline]] inline Picoseconds Traffic::block_time(const CoreState& core, Route& to_mpb,
                                                              const Work& work, std::uint32_t lines,
                                                              Picoseconds time, Notify&& notify) {
  struct Part {
    Route& path;
    std::uint32_t packets; ///< of the block
  };
  const Part parts[] = {{to_mpb, lines}, {route_to_controller(core), work.dram}};
  if (work.dram > 0) time += together(core, to_mpb) * std::min(work.dram, lines);
  const std::int64_t rate = (std::int64_t{1} << rate_bits) / time;
  Picoseconds waited = 0, crowd = 0;
  for (const Part& part : parts) {
    if (part.packets == 0) continue;
    count(core, part.path, part.packets);
    Picoseconds service_before = 0;
    std::int64_t used_before = 0;
    for (RouteStep& step : part.path.steps) {
      const Picoseconds service = step.service * part.packets;
      const Resource::Share share{service * rate >> (rate_bits - Resource::whole_bits), service / lines};
      const Resource::Share others = step.resource->change_share(step.share, share);
      // Who has been served in turn with others and goes on with them does not meet them again where that is
      // no slower.
      const std::int64_t met = step.service > service_before ? others.used : others.used - used_before;
      service_before = step.service;
      used_before = others.used;
      Picoseconds each = 0;
      if (met > 0) {
        each = Resource::expected_wait(met, step.service);
        waited += each * part.packets;
      }
      notify(step, each, part.packets);
      crowd = std::max(crowd,
                       lines * Resource::crowd_wait({others.used + share.used, others.round + share.round}));
    }
  }
  return time + std::max(waited, crowd);
}

Picoseconds Traffic::beside_others(const CoreState& core, Route& to_mpb, bool& at_controller,
                                   const Work& work, std::uint32_t lines, Picoseconds time) {
  if (at_controller && work.dram == 0) withdraw(route_to_controller(core));
  at_controller = work.dram > 0;
  if (watched()) [[unlikely]]
    return all_observed_ ? block_time_all_observed(core, to_mpb, work, lines, time)
                         : block_time_observed(core, to_mpb, work, lines, time);
  return block_time(core, to_mpb, work, lines, time, [](auto&&...) {});
}

[[gnu::noinline]] Picoseconds Traffic::block_time_observed(const CoreState& core, Route& to_mpb,
                                                           const Work& work, std::uint32_t lines,
                                                           Picoseconds time) {
  return block_time(core, to_mpb, work, lines, time,
                    [now = kernel_.now()](RouteStep& step, Picoseconds each, std::uint32_t packets) {
                      queue_block(step, now, each, packets);
                    });
}

[[gnu::noinline]] Picoseconds Traffic::block_time_all_observed(const CoreState& core, Route& to_mpb,
                                                               const Work& work, std::uint32_t lines,
                                                               Picoseconds time) {
  return block_time(core, to_mpb, work, lines, time,
                    [this, now = kernel_.now()](RouteStep& step, Picoseconds each, std::uint32_t packets) {
                      tell_served(*step.resource, now, each * packets, step.service, packets, true);
                      if (step.queue != nullptr) queue_block(step, now, each, packets);
                    });
}

} // namespace mesh::scc
