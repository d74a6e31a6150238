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
namespace {

constexpr unsigned rate_bits = 40;

/// A picosecond's part of that time, as a fraction. Where nothing costs anything it is a picosecond.
std::int64_t rate_of(Picoseconds time) noexcept {
  return (std::int64_t{1} << rate_bits) / std::max<Picoseconds>(1, time);
}
/// The part of a time of that rate, in parts of Resource::whole.
std::int64_t used(Picoseconds service, std::int64_t rate) noexcept {
  return service * rate >> (rate_bits - Resource::whole_bits);
}

} // namespace

Traffic::Traffic(Kernel& kernel, const SccCosts& costs, ProbeSet& probes)
    : kernel_(kernel),
      costs_(costs),
      probes_(probes),
      network_(costs.topology(), costs.mesh_cycles(1),
               {costs.mesh_cycles(1), costs.config().router_cycles, costs.config().link_bytes}, turn_),
      contention_(costs.config().contention),
      longest_way_(costs.longest_way()),
      controller_line_(
          std::llround(static_cast<double>(line_bytes) * 1000 / costs.config().controller_gb_per_s)),
      controller_word_(costs.config().word_store_lines * controller_line_),
      port_service_(static_cast<std::size_t>(costs.topology().tiles())),
      ports_(resources(ResourceId::Kind::mpb_port, costs.topology().tiles(), turn_)),
      controllers_(resources(ResourceId::Kind::controller, costs.topology().controllers(), turn_)),
      counters_({ResourceId::Kind::controller, -1}, turn_),
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
  for (int link = 0; link < costs_.topology().links(); ++link) {
    const LinkPace& pace = network_.pace(link);
    packets_->set_packets(link, {pace.header, pace.header_bytes}, {pace.line, pace.packet_bytes});
  }
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
  /// A packet goes to a register or counter, or comes back with its word.
  void passes(TileId from, TileId to, bool line) const {
    if constexpr (audience != Audience::nobody)
      if (traffic_.packets_ != nullptr) traffic_.packets_->count_packet(from, to, line);
  }
  /// A line's packet comes to a resource at `from` and waits until it is served.
  void operator()(const Resource& resource, Picoseconds from, Picoseconds queued, Picoseconds service) const {
    if constexpr (audience == Audience::events) traffic_.notify_served(resource, from, queued, service, 1);
    if constexpr (audience != Audience::nobody)
      if (queued > 0 && traffic_.queues_ != nullptr) [[unlikely]]
        Queues::wait(traffic_.queues_->queue(resource.id()), traffic_.kernel_.current(), from, queued,
                     service, traffic_.turn_.oldest);
  }
  /// Packets of a copy's line come to a step of its route.
  void operator()(Route& path, const RouteStep& step, Picoseconds from, Picoseconds queued,
                  std::uint32_t packets) const {
    if constexpr (audience == Audience::events)
      traffic_.notify_served(*step.resource, from, queued, step.service, packets);
    if constexpr (audience != Audience::nobody)
      if (queued > 0 && traffic_.queues_ != nullptr) [[unlikely]]
        traffic_.queue_line(path.use(step), traffic_.kernel_.current(), from, queued, step.service);
  }
  /// Each packet of a core's own code waits for that time at a step of its route.
  void share(Route& path, const RouteStep& step, Picoseconds each, std::uint32_t packets) const {
    const Picoseconds now = traffic_.kernel_.now();
    if constexpr (audience == Audience::events)
      traffic_.notify_served(*step.resource, now, each * packets, step.service, packets, true);
    if constexpr (audience != Audience::nobody)
      if (traffic_.queues_ != nullptr) queue_share(path.use(step), now, each, packets);
  }

 private:
  Traffic& traffic_;
};

/// A copy's line waits at a step; where the copy waits there already, as a part of that.
[[gnu::always_inline]] inline void Traffic::queue_line(StepUse& use, int core, Picoseconds from,
                                                       Picoseconds queued, Picoseconds service) {
  if (use.waited == 0) return Queues::wait(*use.queue, core, from, queued, service, turn_.oldest);
  use.waited += queued;
  use.longest = std::max(use.longest, queued);
}

/// Each packet of a core's own code waits for `each` at a step.
[[gnu::always_inline]] inline void Traffic::queue_share(StepUse& use, Picoseconds now, Picoseconds each,
                                                        std::uint32_t packets) {
  if (each == 0) {
    if (use.waited > 0) [[unlikely]]
      leave_queue(use);
    return;
  }
  if (use.waited == 0) [[unlikely]]
    Queues::join(*use.queue, now);
  use.waited += each * packets;
  use.longest = std::max(use.longest, each);
}

[[gnu::noinline]] void Traffic::leave_queue(StepUse& use) noexcept {
  Queues::leave(*use.queue, use.waited, use.longest);
  use.waited = use.longest = 0;
}

[[gnu::noinline]] void Traffic::notify_served(const Resource& resource, Picoseconds from, Picoseconds queued,
                                              Picoseconds service, std::uint32_t packets, bool beside) {
  const ResourceId id = resource.id();
  const Picoseconds busy = packets * service;
  std::uint64_t bytes = line_bytes;
  if (id.kind == ResourceId::Kind::link) {
    // A packet there is a header, or a header and a line.
    const LinkPace& pace = network_.pace(id.number);
    bytes = service == pace.header ? pace.header_bytes : pace.packet_bytes;
  }
  const Service served{id,     kernel_.current(), packets, from, from + queued + busy, busy, queued,
                       beside, packets * bytes};
  probes_.notify(&Observer::served, EventMask::resources, served);
}

void Traffic::find_uses(Route& path) {
  path.uses.assign(path.steps.size(), {});
  if (queues_ == nullptr) return;
  for (const RouteStep& step : path.steps) path.use(step).queue = &queues_->queue(step.resource->id());
}

void Traffic::find_route(Route& path, const CoreState& core, TileId tile, bool reading) {
  const auto port = static_cast<std::size_t>(index(tile));
  const ResourceId server = ports_[port].id();
  path = {.steps = std::move(path.steps),
          .uses = std::move(path.uses),
          .back = reading,
          .server = server,
          .lines = counter(core, server, reading)};
  path.steps.clear();
  network_.add_route(path, core.tile, tile, !reading);
  path.steps.push_back({.resource = &ports_[port], .service = port_service_[port], .hop = 0});
  if (reading) network_.add_route(path, tile, core.tile, true);
  find_uses(path);
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
  path.back = true;
  path.server = controller.id();
  path.lines = counter(core, controller.id(), true);
  network_.add_route(path, core.tile, tile, false);
  controller_step_[costs_.number_of(core)] = path.steps.size();
  path.steps.push_back({.resource = &controller, .service = controller_line_, .hop = 0});
  network_.add_route(path, tile, core.tile, true);
  find_uses(path);
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
  take_turn();
  const Picoseconds issue = kernel_.now() - ahead;
  const Picoseconds waited = for_audience(
      [&]<Audience audience>() { return line_waits<audience>(core, path, work, issue, reading); });
  tell_cut();
  kernel_.advance(time - ahead + waited);
}

Picoseconds Traffic::copy_waits(const CoreState& core, Route& to_mpb, const Work& work, Picoseconds issue) {
  take_turn();
  const Picoseconds waited =
      for_audience([&]<Audience audience>() { return copy_waits<audience>(core, to_mpb, work, issue); });
  tell_cut();
  return waited;
}

template <Audience audience>
[[gnu::noinline]] Picoseconds Traffic::copy_waits(const CoreState& core, Route& to_mpb, const Work& work,
                                                  Picoseconds issue) {
  const Picoseconds waited = route_waits<audience>(core, to_mpb, issue, 1);
  return work.dram == 0 ? waited : waited + controller_waits<audience>(core, work, issue);
}

Resource::Share Traffic::want_controller(const CoreState& core, const Work& all, Picoseconds time) {
  if (!contention_ || all.dram == 0) return {};
  const Picoseconds service = all.words == SccCosts::Words::stored ? controller_word_ : controller_line_;
  const Resource::Share wanted{used(service * all.dram, rate_of(time)), service};
  controllers_[static_cast<std::size_t>(core.controller)].want(wanted);
  return wanted;
}

void Traffic::leave_controller(const CoreState& core, const Resource::Share& wanted) {
  if (wanted.round != 0)
    controllers_[static_cast<std::size_t>(core.controller)].want({-wanted.used, -wanted.round});
}

// --- runs ---

/// Resources are shown packets of the present turn from here on.
[[gnu::always_inline]] inline void Traffic::take_turn() noexcept {
  const Kernel::Turn turn = kernel_.turn();
  turn_.at = turn.at;
  turn_.core = turn.context;
  turn_.oldest = turn.at - longest_way_;
}

/// Runs that have been met end earlier.
[[gnu::always_inline]] inline void Traffic::tell_cut() {
  if (!turn_.cut.empty()) [[unlikely]]
    hasten_cut();
}

[[gnu::noinline]] void Traffic::hasten_cut() {
  for (const LineRun* run : turn_.cut) kernel_.hasten(run->core, run->at(run->lines));
  turn_.cut.clear();
}

void Traffic::cut(LineRun& run, std::uint32_t line) {
  take_turn();
  run.cut(std::max(line, run.come_to(turn_.at, turn_.core)), turn_);
  tell_cut();
}

/// Adds the passages of a line that comes to the path so long after it has set out. Where it meets its own
/// packets, as on a link to the controller that leads to the MPB, too, it waits; false where it makes one of
/// them late.
static bool add_passages(Pattern& pattern, const Route& path, Picoseconds at) {
  for (const RouteStep& step : path.steps) {
    const std::size_t own = pattern.passages.size();
    for (std::size_t i = 0; i < own; ++i) {
      const Passage& met = pattern.passages[i];
      if (met.resource != step.resource) continue;
      if (at >= met.after + met.service || met.after >= at + step.service) continue;
      if (at < met.after) return false;
      pattern.waited += met.after + met.service - at;
      at = met.after + met.service;
    }
    pattern.passages.push_back({.resource = step.resource, .after = at, .service = step.service});
    pattern.slowest = std::max(pattern.slowest, step.service);
    at += step.hop;
  }
  return true;
}

/// Finds the pattern of lines that take `work` beside their way to the MPB; empty where there is none.
void Traffic::find_pattern(Pattern& pattern, const CoreState& core, const Route& to_mpb, const Work& work) {
  pattern.found = true;
  pattern.fetch = work.fetch;
  pattern.waited = pattern.slowest = 0;
  pattern.passages.clear();
  pattern.pairs.clear();
  bool all = add_passages(pattern, to_mpb, 0);
  if (work.dram > 0) {
    const Route& path = route_to_controller(core, controller_line_, 0);
    all = all && add_passages(pattern, path, 0);
    if (work.fetch > 0) all = all && add_passages(pattern, path, pattern.waited + work.fetch);
  }
  if (!all) pattern.passages.clear();
  // Most runs meet somebody at the port, if anywhere: it is asked first.
  const auto port = std::ranges::find(pattern.passages, to_mpb.server,
                                      [](const Passage& one) { return one.resource->id(); });
  std::ranges::rotate(pattern.passages, port);
  pattern.find_pairs();
}

std::uint32_t Traffic::begin_run(LineRun& run, Pattern& pattern, const CoreState& core, const Route& to_mpb,
                                 const Work& work, Picoseconds time, Picoseconds ahead, std::uint32_t lines) {
  if (audience_ == Audience::events || work.words != SccCosts::Words::none) return 0; // README.md, on runs
  run.core = kernel_.current();
  run.begin = kernel_.now();
  run.passages = {};
  run.acted = run.told = 0;
  run.next = run.begin;
  run.asked = {};
  if (contention_) {
    take_turn();
    if (!pattern.found || pattern.fetch != work.fetch) find_pattern(pattern, core, to_mpb, work);
    time += pattern.waited;
    if (pattern.passages.empty() || time <= 0 || pattern.meets_itself(time)) return 0;
    // Packets of a line that wait for each other stand in the queue for others that come meanwhile.
    if (queues_ != nullptr && pattern.waited > 0) return 0;
    run.period = time;
    met_.clear();
    for (Passage& one : pattern.passages) {
      one.run = &run;
      one.late = one.after - ahead;
      lines = one.resource->alone(one, lines, met_);
      if (lines < LineRun::shortest) return 0;
    }
    for (const Resource::Met& one : met_)
      if (one.own < lines) one.run->cut(one.line, turn_);
    run.passages = pattern.passages;
    for (Passage& one : run.passages) one.resource->enter(one);
    tell_cut();
  }
  run.period = time;
  run.lines = time > 0 ? lines : 0;
  return run.lines;
}

void Traffic::end_run(LineRun& run, const CoreState& core, Route& to_mpb, const Work& work) {
  take_turn();
  run.acted = run.lines;
  run.next = run.at(run.acted);
  for (Passage& one : run.passages) one.resource->leave(one);
  tell_acted(run, core, to_mpb, work);
  run.lines = 0;
}

void Traffic::tell_acted(LineRun& run, const CoreState& core, Route& to_mpb, const Work& work) {
  if (!contention_ || audience_ != Audience::sums) return;
  const std::uint32_t lines = run.acted - run.told;
  run.told = run.acted;
  const Notify<Audience::sums> notify(*this);
  notify.set_out(core, to_mpb, lines);
  if (work.dram > 0) notify.set_out(core, route_to_controller(core), work.dram * lines);
}

void Traffic::tell_run(LineRun& run, const CoreState& core, Route& to_mpb, const Work& work) {
  take_turn();
  run.come_to(turn_.at, turn_.core);
  tell_acted(run, core, to_mpb, work);
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
  Picoseconds waited = network_.send(core.tile, path.tile, at, !reading, notify);
  const Picoseconds service = port_service_[tile], port = ports_[tile].serve(at, service);
  notify(ports_[tile], at, port, service);
  at += port;
  waited += port;
  if (reading) waited += network_.send(path.tile, core.tile, at, true, notify);
  return work.dram == 0 ? waited : waited + controller_waits<audience>(core, work, issue);
}

/// Waiting of a line of a copy, or of `packets` at once, that sets out at `start`.
template <Audience audience>
[[gnu::always_inline]] inline Picoseconds Traffic::route_waits(const CoreState& core, Route& path,
                                                               Picoseconds start, std::uint32_t packets) {
  const Notify<audience> notify(*this);
  notify.set_out(core, path, packets);
  Picoseconds waited = 0;
  for (const RouteStep& step : path.steps) {
    const Picoseconds wait = step.resource->serve(start, step.service);
    notify(path, step, start, wait, packets);
    waited += wait;
    start += wait + step.hop;
  }
  return waited;
}

/// Waiting of a line for the memory controller. Words one by one are a packet each, as far apart as each
/// takes.
template <Audience audience>
[[gnu::noinline]] Picoseconds Traffic::controller_waits(const CoreState& core, const Work& work,
                                                        Picoseconds start) {
  using Words = SccCosts::Words;
  const Picoseconds service = work.words == Words::stored ? controller_word_ : controller_line_;
  Route& path = route_to_controller(core, service, work.dram);
  if (work.words != Words::none) {
    const Picoseconds apart = work.time / work.dram;
    Picoseconds waited = 0;
    for (std::uint32_t word = 0; word < work.dram; ++word)
      waited += route_waits<audience>(core, path, start + waited + word * apart, 1);
    return waited;
  }
  const std::uint32_t fetches = work.fetch == 0 ? 0 : work.dram / 2;
  const Picoseconds waited = route_waits<audience>(core, path, start, work.dram - fetches);
  return work.fetch == 0 ? waited
                         : waited + route_waits<audience>(core, path, start + waited + work.fetch, fetches);
}

void Traffic::withdraw(Route& path) {
  for (const RouteStep& step : path.steps) {
    StepUse& use = path.use(step);
    step.resource->change_share(use.share, {});
    if (use.waited > 0) [[unlikely]]
      leave_queue(use);
  }
}

/// `packets` of `lines` in that time.
template <Audience audience>
[[gnu::always_inline]] inline void Traffic::go_beside(Beside& sum, const CoreState& core, Route& path,
                                                      std::uint32_t packets, std::uint32_t lines,
                                                      Picoseconds time) {
  const Notify<audience> notify(*this);
  const std::int64_t rate = rate_of(time);
  notify.set_out(core, path, packets);
  Picoseconds service_before = 0;
  std::int64_t used_before = 0;
  for (const RouteStep& step : path.steps) {
    const Picoseconds service = step.service * packets;
    const Resource::Share share{used(service, rate), service / lines};
    const Resource::Share others = step.resource->change_share(path.use(step).share, share);
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
    notify.share(path, step, each, packets);
    sum.crowd = std::max(
        sum.crowd, lines * Resource::crowd_wait({others.used + share.used, others.round + share.round}));
  }
}

Picoseconds Traffic::request_waits(const CoreState& core) {
  if (!contention_) return 0;
  take_turn();
  const TileId interface = costs_.interface_tile();
  Picoseconds at = kernel_.now() - costs_.way(core.tile, interface).there;
  const Picoseconds waited = for_audience([&]<Audience audience>() {
    const Notify<audience> notify(*this);
    notify.passes(core.tile, interface, false);
    return network_.send(core.tile, interface, at, false, notify);
  });
  tell_cut();
  return waited + counters_.serve(at, counter_service_);
}

Picoseconds Traffic::answer_waits(const CoreState& core) {
  if (!contention_) return 0;
  take_turn();
  Picoseconds at = kernel_.now();
  const Picoseconds waited = for_audience([&]<Audience audience>() {
    const Notify<audience> notify(*this);
    notify.passes(costs_.interface_tile(), core.tile, true);
    return network_.send(costs_.interface_tile(), core.tile, at, true, notify);
  });
  tell_cut();
  return waited;
}

void Traffic::polls_counter(const CoreState& core, Picoseconds period) {
  if (!contention_) return;
  const Resource::Share share = period == 0
      ? Resource::Share{}
      : Resource::Share{counter_service_ * Resource::whole / period, counter_service_};
  take_turn();
  (void)counters_.change_share(polls_[costs_.number_of(core)], share);
}

void Traffic::spend_on_memory(const CoreState& core, std::uint64_t lines, std::uint64_t words,
                              Picoseconds computing, Picoseconds memory) {
  const std::uint64_t all = lines + words;
  if (!contention_ || all == 0) return kernel_.advance(memory);
  kernel_.synchronise(); // nobody sees the share before its time
  take_turn();
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
  tell_cut();
  kernel_.advance(memory + waited);
  const auto number = costs_.number_of(core);
  own_code_until_[number] = kernel_.now();
  kernel_.post(kernel_.now(), own_code_ends_of + static_cast<std::uint32_t>(number));
}

void Traffic::own_code_ends(const CoreState& core, Picoseconds at) {
  // A later stretch may have its share already.
  if (own_code_until_[costs_.number_of(core)] != at) return;
  take_turn();
  withdraw(route_to_controller(core));
  tell_cut();
}

} // namespace mesh::scc
