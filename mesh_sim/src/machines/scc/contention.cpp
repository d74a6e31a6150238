// What stands in the way of the simulated SCC's accesses: links, MPB ports and memory controllers, met line
// by line or in blocks (transfer.hpp), and who hears of them.
#include <algorithm>
#include <functional>

#include "mesh_sim/machines/scc/machine.hpp"

namespace mesh {

namespace {

constexpr unsigned rate_bits = 40; ///< a picosecond's part of a block's time, as a fraction

} // namespace

ResourceId SccMachine::id_of(const Resource& resource) const noexcept {
  const auto within = [&](const std::vector<Resource>& all) {
    return std::less_equal<>{}(all.data(), &resource) && std::less<>{}(&resource, all.data() + all.size());
  };
  const auto number = [&](const std::vector<Resource>& all) {
    return static_cast<int>(&resource - all.data());
  };
  if (within(ports_)) return {ResourceId::Kind::mpb_port, number(ports_)};
  if (within(controllers_)) return {ResourceId::Kind::controller, number(controllers_)};
  return {ResourceId::Kind::link, number(network_.links())};
}

void SccMachine::tell_served(const Resource& resource, Picoseconds from, Picoseconds queued,
                             Picoseconds service, std::uint32_t packets) {
  const Picoseconds busy = packets * service;
  observers_->tell(
      &Observer::served, Told::resources,
      Service{id_of(resource), kernel_.current(), packets, from, from + queued + busy, busy, queued});
}

/// Waiting of a line that sets out at `start`, which stands for `packets` alike that nobody meets.
template <class Tell>
[[gnu::always_inline]] inline Picoseconds SccMachine::waits(const Way& way, Picoseconds start,
                                                            std::uint32_t packets, Tell&& tell) {
  Picoseconds waited = 0;
  for (const Leg& leg : way) {
    const Picoseconds wait = leg.resource->serve(start, leg.service);
    tell(*leg.resource, start, wait, leg.service, packets);
    waited += wait;
    start += wait + leg.hop;
  }
  return waited;
}

/// Waiting of one line for links and the MPB's port. It sets out when its request or store does.
template <class Tell>
[[gnu::always_inline]] inline Picoseconds SccMachine::mesh_waits(const CoreState& core, const Passage& way,
                                                                 Picoseconds at, bool reading, Tell&& tell) {
  const Picoseconds hop = mesh_cycles(config_.router_cycles);
  Picoseconds waited =
      network_.send(core.tile, way.tile, at, reading ? 1 : data_flits_, mesh_cycle_, hop, tell);
  const auto tile = static_cast<std::size_t>(index(way.tile));
  const Picoseconds service = config_.mpb_port_cycles * tile_cycle_[tile];
  const Picoseconds port = ports_[tile].serve(at, service);
  ports_[tile].count(1, service);
  tell(ports_[tile], at, port, service, 1);
  at += port;
  waited += port;
  if (reading) waited += network_.send(way.tile, core.tile, at, data_flits_, mesh_cycle_, hop, tell);
  return waited;
}

// The same twice: with a `tell` that does nothing, and out of the way of that.

Picoseconds SccMachine::mesh_waits(const CoreState& core, const Passage& way, Picoseconds at, bool reading) {
  if (has(told_, Told::resources)) [[unlikely]]
    return mesh_waits_told(core, way, at, reading);
  return mesh_waits(core, way, at, reading, [](auto&&...) {});
}

[[gnu::noinline, gnu::cold]] Picoseconds
SccMachine::mesh_waits_told(const CoreState& core, const Passage& way, Picoseconds at, bool reading) {
  return mesh_waits(core, way, at, reading, [this](auto&&... served) { tell_served(served...); });
}

/// To the core's memory controller and back.
Way& SccMachine::way_to_controller(const CoreState& core) {
  Way& way = to_controller_[static_cast<std::size_t>(&core - cores_.data())];
  if (!way.empty() || !config_.contention) return way;
  const Picoseconds hop = mesh_cycles(config_.router_cycles);
  const TileId tile = topology_.controller_tile(core.controller);
  network_.add_route(way, core.tile, tile, 1, mesh_cycle_, hop);
  way.push_back({&controllers_[static_cast<std::size_t>(core.controller)], controller_line_, 0, {}});
  network_.add_route(way, tile, core.tile, data_flits_, mesh_cycle_, hop);
  return way;
}

/// Accounts for a line that takes `time` unhindered, of which `ahead` has passed already, plus what the core
/// has to wait for others.
void SccMachine::spend(const CoreState& core, const Passage& way, Picoseconds time, const Work& work,
                       bool reading, Picoseconds ahead) {
  if (!config_.contention) return kernel_.advance(time - ahead);
  const Picoseconds issue = kernel_.now() - ahead;
  Picoseconds waited = mesh_waits(core, way, issue, reading);
  if (work.dram > 0) {
    waited += controller_waits(core, work, issue);
    count(way_to_controller(core), work.dram);
  }
  kernel_.advance(time - ahead + waited);
}

/// Waiting of one of several lines for the memory controller. Of the words of a line that are stored one by
/// one the first stands for all: they come so far apart that they hardly meet others.
template <class Tell>
[[gnu::always_inline]] inline Picoseconds
SccMachine::controller_waits(const CoreState& core, const Work& work, Picoseconds start, Tell&& tell) {
  const Way& way = way_to_controller(core);
  const std::uint32_t fetches = work.fetch == 0 ? 0 : work.dram / 2;
  const Picoseconds waited = waits(way, start, work.dram - fetches, tell);
  return work.fetch == 0 ? waited : waited + waits(way, start + waited + work.fetch, fetches, tell);
}

Picoseconds SccMachine::controller_waits(const CoreState& core, const Work& work, Picoseconds start) {
  if (has(told_, Told::resources)) [[unlikely]]
    return controller_waits(core, work, start, [this](auto&&... served) { tell_served(served...); });
  return controller_waits(core, work, start, [](auto&&...) {});
}

Picoseconds SccMachine::copy_waits(const CoreState& core, Transfer& transfer, const Work& work,
                                   Picoseconds issue, std::uint32_t lines) {
  if (has(told_, Told::resources)) [[unlikely]]
    return copy_waits_told(core, transfer, work, issue, lines);
  const Picoseconds waited = waits(transfer.to_mpb(), issue, lines, [](auto&&...) {});
  return work.dram == 0 ? waited : waited + controller_waits(core, work, issue);
}

[[gnu::noinline, gnu::cold]] Picoseconds SccMachine::copy_waits_told(const CoreState& core,
                                                                     Transfer& transfer, const Work& work,
                                                                     Picoseconds issue, std::uint32_t lines) {
  const auto tell = [this](auto&&... served) { tell_served(served...); };
  const Picoseconds waited = waits(transfer.to_mpb(), issue, lines, tell);
  return work.dram == 0 ? waited : waited + controller_waits(core, work, issue, tell);
}

/// Where both ways begin with one link, a line's request for memory waits for that to the MPB.
Picoseconds SccMachine::together(const CoreState& core, Transfer& transfer) {
  const Leg& first = transfer.to_mpb().front();
  return first.resource == way_to_controller(core).front().resource ? first.service : 0;
}

/// Gives the shares of a copy back.
void SccMachine::withdraw(Way& way) noexcept {
  for (Leg& leg : way) leg.resource->change_share(leg.share, {});
}

void SccMachine::count(const Way& way, std::uint64_t lines) noexcept {
  if (lines > 0)
    for (const Leg& leg : way) leg.resource->count(lines, leg.service);
}

/// Time of a block that takes `time` unhindered: its share of each resource on its ways is put beside those
/// of others.
Picoseconds SccMachine::beside_others(CoreState& core, Transfer& transfer, const Work& work,
                                      std::uint32_t lines, Picoseconds time) {
  Way &to_mpb = transfer.to_mpb(), &to_controller = way_to_controller(core);
  struct Part {
    Way& way;
    std::uint32_t packets; ///< of the block
  };
  const Part parts[] = {{to_mpb, lines}, {to_controller, work.dram}};
  if (transfer.at_controller && work.dram == 0) withdraw(to_controller);
  transfer.at_controller = work.dram > 0;
  if (work.dram > 0) time += together(core, transfer) * std::min(work.dram, lines);
  const std::int64_t rate = (std::int64_t{1} << rate_bits) / time;
  Picoseconds waited = 0, crowd = 0;
  for (const Part& part : parts) {
    if (part.packets == 0) continue;
    Picoseconds service_before = 0;
    std::int64_t used_before = 0;
    for (Leg& leg : part.way) {
      const Picoseconds service = leg.service * part.packets;
      const Resource::Share share{service * rate >> (rate_bits - Resource::whole_bits), service / lines};
      const Resource::Share others = leg.resource->change_share(leg.share, share);
      // Who has been served in turn with others and goes on with them does not meet them again where that is
      // no slower.
      const std::int64_t met = leg.service > service_before ? others.used : others.used - used_before;
      service_before = leg.service;
      used_before = others.used;
      Picoseconds wait = 0;
      if (met > 0) {
        wait = Resource::expected_wait(met, leg.service) * part.packets;
        leg.resource->count_wait(wait);
        waited += wait;
      }
      if (has(told_, Told::resources)) [[unlikely]]
        tell_served(*leg.resource, kernel_.now(), wait, leg.service, part.packets);
      crowd = std::max(crowd,
                       lines * Resource::crowd_wait({others.used + share.used, others.round + share.round}));
    }
  }
  return time + std::max(waited, crowd);
}

} // namespace mesh
