// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/observe/packet_counts.hpp"
#include "mesh_sim/observe/queues.hpp"

namespace mesh::scc {

Traffic::Traffic(Kernel& kernel, const SccCosts& costs, ProbeSet& probes)
    : kernel_(kernel),
      costs_(costs),
      probes_(probes),
      network_(costs.topology(), oldest_),
      contention_(costs.config().contention),
      flit_time_(costs.mesh_cycles(1)),
      hop_(costs.mesh_cycles(costs.config().router_cycles)),
      longest_way_(costs.longest_way()),
      data_flits_(1 +
                  static_cast<int>((static_cast<std::int64_t>(line_bytes) + costs.config().link_bytes - 1) /
                                   costs.config().link_bytes)),
      controller_line_(
          std::llround(static_cast<double>(line_bytes) * 1000 / costs.config().controller_gb_per_s)),
      controller_word_(costs.config().word_store_lines * controller_line_),
      header_bytes_(static_cast<std::uint64_t>(costs.config().link_bytes)),
      packet_bytes_(static_cast<std::uint64_t>(data_flits_) * header_bytes_),
      port_service_(static_cast<std::size_t>(costs.topology().tiles())),
      ports_(resources(ResourceId::Kind::mpb_port, costs.topology().tiles(), oldest_)),
      controllers_(resources(ResourceId::Kind::controller, costs.topology().controllers(), oldest_)),
      counters_({ResourceId::Kind::controller, -1}, oldest_),
      counter_service_(costs.mesh_cycles(costs.config().counter_service_cycles)),
      polls_(static_cast<std::size_t>(costs.topology().cores())),
      to_controller_(polls_.size()),
      controller_step_(to_controller_.size()),
      own_code_until_(to_controller_.size(), -1) {}

void Traffic::set_observers(const Observers* observers) {
  packets_ = observers == nullptr ? nullptr : observers->packets();
  queues_ = observers == nullptr ? nullptr : observers->queues();
  audience_ = probes_.want(EventMask::resources) ? Audience::events
      : packets_ != nullptr                      ? Audience::sums
                                                 : Audience::nobody;
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

std::uint64_t* Traffic::counter(const CoreState& core, ResourceId server, bool back) {
  return packets_ == nullptr ? nullptr : packets_->counter(core.tile, server, back);
}

/// Calls rule with the audience as a constant, so that packets that nobody hears of cost nothing more.
template <class Rule>
[[gnu::always_inline]] inline Picoseconds Traffic::for_audience(Rule&& rule) {
  if (audience_ == Audience::nobody) [[likely]]
    return rule.template operator()<Audience::nobody>();
  return audience_ == Audience::sums ? rule.template operator()<Audience::sums>()
                                     : rule.template operator()<Audience::events>();
}

/// Notifies the audience.
template <Audience audience>
class Traffic::Notify {
 public:
  explicit Notify(Traffic& traffic) : traffic_(traffic) {}

  /// A line by itself goes to a port or controller; `back`: and returns.
  void sets_out(const CoreState& core, ResourceId server, bool back) const {
    if constexpr (audience != Audience::nobody)
      if (traffic_.packets_ != nullptr) traffic_.packets_->count(core.tile, server, back, 1);
  }
  /// Lines of a copy set out on their route.
  void set_out(const CoreState& core, const Route& path, std::uint32_t lines) const {
    if constexpr (audience != Audience::nobody) {
      if (path.lines != nullptr)
        *path.lines += lines;
      else if (traffic_.packets_ != nullptr)
        traffic_.packets_->count(core.tile, path.server, path.back, lines);
    }
  }
  /// A line's packet comes to a resource at `from` and waits until it is served.
  void operator()(const Resource& resource, Picoseconds from, Picoseconds queued, Picoseconds service) const {
    if constexpr (audience == Audience::events) traffic_.notify_served(resource, from, queued, service, 1);
    if constexpr (audience != Audience::nobody)
      if (queued > 0 && traffic_.queues_ != nullptr) [[unlikely]]
        Queues::wait(traffic_.queues_->queue(resource.id()), traffic_.kernel_.current(), from, queued,
                     service);
  }
  /// The first of `packets` packets of a copy comes to a step of its route; nobody meets the others.
  void operator()(RouteStep& step, Picoseconds from, Picoseconds queued, std::uint32_t packets) const {
    if constexpr (audience == Audience::events)
      traffic_.notify_served(*step.resource, from, queued, step.service, packets);
    if constexpr (audience != Audience::nobody)
      if (queued > 0 && step.queue != nullptr) [[unlikely]]
        queue_line(step, traffic_.kernel_.current(), from, queued);
  }
  /// Each of the packets of a copy's next block waits for that time at a step of its route.
  void block(RouteStep& step, Picoseconds each, std::uint32_t packets) const {
    const Picoseconds now = traffic_.kernel_.now();
    if constexpr (audience == Audience::events)
      traffic_.notify_served(*step.resource, now, each * packets, step.service, packets, true);
    if constexpr (audience != Audience::nobody)
      if (step.queue != nullptr) queue_block(step, now, each, packets);
  }

 private:
  Traffic& traffic_;
};

/// A copy's line waits at a step; where the copy waits there already, as a part of that.
[[gnu::always_inline]] inline void Traffic::queue_line(RouteStep& step, int core, Picoseconds from,
                                                       Picoseconds queued) {
  if (step.waited == 0) return Queues::wait(*step.queue, core, from, queued, step.service);
  step.waited += queued;
  step.longest = std::max(step.longest, queued);
}

/// Each packet of a copy's next block waits for `each` at a step.
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

[[gnu::noinline]] void Traffic::notify_served(const Resource& resource, Picoseconds from, Picoseconds queued,
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
  controller_step_[costs_.number_of(core)] = path.steps.size();
  path.steps.push_back({.resource = &controller, .service = controller_line_, .hop = 0, .share = {}});
  network_.add_route(path, tile, core.tile, data_flits_, flit_time_, hop_);
  find_queues(path);
  return path;
}

/// The same for that many packets, each of which takes `service` of the controller.
Route& Traffic::route_to_controller(const CoreState& core, Picoseconds service, std::uint32_t packets) {
  Route& path = route_to_controller(core);
  if (path.steps.empty()) return path;
  path.steps[controller_step_[costs_.number_of(core)]].service = service;
  if (packets_ != nullptr && service != controller_line_)
    packets_->add_busy(path.server, (service - controller_line_) * packets);
  return path;
}

void Traffic::charge(const CoreState& core, const RouteCost& path, Picoseconds time, const Work& work,
                     bool reading, Picoseconds ahead) {
  if (!contention_) return kernel_.advance(time - ahead);
  const Picoseconds issue = kernel_.now() - ahead;
  oldest_ = kernel_.now() - longest_way_;
  const Picoseconds waited = for_audience(
      [&]<Audience audience>() { return line_waits<audience>(core, path, work, issue, reading); });
  kernel_.advance(time - ahead + waited);
}

Picoseconds Traffic::copy_waits(const CoreState& core, Route& to_mpb, const Work& work, Picoseconds issue,
                                std::uint32_t lines) {
  oldest_ = kernel_.now() - longest_way_;
  return for_audience(
      [&]<Audience audience>() { return copy_waits<audience>(core, to_mpb, work, issue, lines); });
}

template <Audience audience>
[[gnu::noinline]] Picoseconds Traffic::copy_waits(const CoreState& core, Route& to_mpb, const Work& work,
                                                  Picoseconds issue, std::uint32_t lines) {
  const Picoseconds waited = route_waits<audience>(core, to_mpb, issue, lines);
  return work.dram == 0 ? waited : waited + controller_waits<audience>(core, work, issue, lines);
}

/// Waiting of one line for links, the MPB's port and its memory controller. It sets out when its request or
/// store does.
template <Audience audience>
[[gnu::noinline]] Picoseconds Traffic::line_waits(const CoreState& core, const RouteCost& path,
                                                  const Work& work, Picoseconds issue, bool reading) {
  const Notify<audience> notify(*this);
  const auto tile = static_cast<std::size_t>(index(path.tile));
  notify.sets_out(core, ports_[tile].id(), reading);
  Picoseconds at = issue;
  Picoseconds waited =
      network_.send(core.tile, path.tile, at, reading ? 1 : data_flits_, flit_time_, hop_, notify);
  const Picoseconds service = port_service_[tile], port = ports_[tile].serve(at, service);
  notify(ports_[tile], at, port, service);
  at += port;
  waited += port;
  if (reading) waited += network_.send(path.tile, core.tile, at, data_flits_, flit_time_, hop_, notify);
  return work.dram == 0 ? waited : waited + controller_waits<audience>(core, work, issue, 1);
}

/// Waiting of a copy's line that sets out at `start`, which stands for `lines` alike that nobody meets.
template <Audience audience>
[[gnu::always_inline]] inline Picoseconds Traffic::route_waits(const CoreState& core, Route& path,
                                                               Picoseconds start, std::uint32_t lines) {
  const Notify<audience> notify(*this);
  notify.set_out(core, path, lines);
  Picoseconds waited = 0;
  for (RouteStep& step : path.steps) {
    const Picoseconds wait = step.resource->serve(start, step.service);
    notify(step, start, wait, lines);
    waited += wait;
    start += wait + step.hop;
  }
  return waited;
}

/// Waiting of one of several lines for the memory controller. Words that are stored one by one are a packet
/// each, as far apart as the store takes.
template <Audience audience>
[[gnu::noinline]] Picoseconds Traffic::controller_waits(const CoreState& core, const Work& work,
                                                        Picoseconds start, std::uint32_t lines) {
  const bool words = stores_words(work, lines);
  Route& path = route_to_controller(core, words ? controller_word_ : controller_line_, work.dram);
  if (words) {
    const Picoseconds apart = costs_.config().plain_store_dram_cycles * core.cycle;
    Picoseconds waited = 0;
    for (std::uint32_t word = 0; word < work.dram / lines; ++word)
      waited += route_waits<audience>(core, path, start + waited + word * apart, lines);
    return waited;
  }
  const std::uint32_t fetches = work.fetch == 0 ? 0 : work.dram / 2;
  const Picoseconds waited = route_waits<audience>(core, path, start, work.dram - fetches);
  return work.fetch == 0 ? waited
                         : waited + route_waits<audience>(core, path, start + waited + work.fetch, fetches);
}

Picoseconds Traffic::together(const CoreState& core, const Route& to_mpb) {
  const RouteStep& first = to_mpb.steps.front();
  return first.resource == route_to_controller(core).steps.front().resource ? first.service : 0;
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

void Traffic::leave_unused_controller(const CoreState& core, bool& at_controller, const Work& work) noexcept {
  if (at_controller && work.dram == 0) withdraw(route_to_controller(core));
  at_controller = work.dram > 0;
}

Picoseconds Traffic::beside_others(const CoreState& core, Route& to_mpb, bool& at_controller,
                                   const Work& work, std::uint32_t lines, Picoseconds time) {
  leave_unused_controller(core, at_controller, work);
  return for_audience(
      [&]<Audience audience>() { return block_time<audience>(core, to_mpb, work, lines, time); });
}

Picoseconds Traffic::line_beside_others(const CoreState& core, Route& to_mpb, bool& at_controller,
                                        const Work& work, Picoseconds time) {
  leave_unused_controller(core, at_controller, work);
  return block_time<Audience::nobody>(core, to_mpb, work, 1, time);
}

/// `packets` of `lines` in that time.
template <Audience audience>
[[gnu::always_inline]] inline void Traffic::go_beside(Beside& sum, const CoreState& core, Route& path,
                                                      std::uint32_t packets, std::uint32_t lines,
                                                      Picoseconds time) {
  const Notify<audience> notify(*this);
  constexpr unsigned rate_bits = 40;
  // A picosecond's part, as a fraction. Where nothing costs anything a block takes no time.
  const std::int64_t rate = (std::int64_t{1} << rate_bits) / std::max<Picoseconds>(1, time);
  notify.set_out(core, path, packets);
  Picoseconds service_before = 0;
  std::int64_t used_before = 0;
  for (RouteStep& step : path.steps) {
    const Picoseconds service = step.service * packets;
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
      sum.waited += each * packets;
    }
    notify.block(step, each, packets);
    sum.crowd = std::max(
        sum.crowd, lines * Resource::crowd_wait({others.used + share.used, others.round + share.round}));
  }
}

/// Time of a block's lines, which go beside others.
template <Audience audience>
[[gnu::noinline]] Picoseconds Traffic::block_time(const CoreState& core, Route& to_mpb, const Work& work,
                                                  std::uint32_t lines, Picoseconds time) {
  if (work.dram > 0) time += together(core, to_mpb) * std::min(work.dram, lines);
  Beside others;
  go_beside<audience>(others, core, to_mpb, lines, lines, time);
  if (work.dram > 0) {
    const Picoseconds service = stores_words(work, lines) ? controller_word_ : controller_line_;
    go_beside<audience>(others, core, route_to_controller(core, service, work.dram), work.dram, lines, time);
  }
  return time + others.wait();
}

Picoseconds Traffic::request_waits(const CoreState& core) {
  if (!contention_) return 0;
  oldest_ = kernel_.now() - longest_way_;
  const TileId interface = costs_.interface_tile();
  Picoseconds at = kernel_.now() - costs_.traversal(core.tile, interface);
  const Picoseconds waited = for_audience([&]<Audience audience>() {
    return network_.send(core.tile, interface, at, 1, flit_time_, hop_, Notify<audience>(*this));
  });
  return waited + counters_.serve(at, counter_service_);
}

Picoseconds Traffic::answer_waits(const CoreState& core) {
  if (!contention_) return 0;
  Picoseconds at = kernel_.now();
  return for_audience([&]<Audience audience>() {
    return network_.send(costs_.interface_tile(), core.tile, at, data_flits_, flit_time_, hop_,
                         Notify<audience>(*this));
  });
}

void Traffic::polls_counter(const CoreState& core, Picoseconds period) noexcept {
  if (!contention_) return;
  const Resource::Share share = period == 0
      ? Resource::Share{}
      : Resource::Share{counter_service_ * Resource::whole / period, counter_service_};
  (void)counters_.change_share(polls_[costs_.number_of(core)], share);
}

void Traffic::spend_on_memory(const CoreState& core, std::uint64_t lines, std::uint64_t words,
                              Picoseconds computing, Picoseconds memory) {
  const std::uint64_t all = lines + words;
  if (!contention_ || all == 0) return kernel_.advance(memory);
  kernel_.synchronise(); // nobody sees the share before its time
  const auto packets =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(all, std::numeric_limits<std::int32_t>::max()));
  const Picoseconds service = controller_line_ +
      (controller_word_ - controller_line_) * static_cast<Picoseconds>(words) / static_cast<Picoseconds>(all);
  const Picoseconds waited = for_audience([&]<Audience audience>() {
    Beside others;
    go_beside<audience>(others, core, route_to_controller(core, service, packets), packets, packets,
                        computing + memory);
    return others.wait();
  });
  kernel_.advance(memory + waited);
  const auto number = costs_.number_of(core);
  own_code_until_[number] = kernel_.now();
  kernel_.post(kernel_.now(), own_code_ends_of + static_cast<std::uint32_t>(number));
}

void Traffic::own_code_ends(const CoreState& core, Picoseconds at) noexcept {
  // A later stretch may have its share already.
  if (own_code_until_[costs_.number_of(core)] == at) withdraw(route_to_controller(core));
}

} // namespace mesh::scc
