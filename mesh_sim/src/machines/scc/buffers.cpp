// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/buffers.hpp"

#include <stdexcept>

#include "mesh_sim/parts/host_copy.hpp"

namespace mesh::scc {

namespace {

/// The core's side of an access that only reads it: both directions share one type.
std::byte* read_only(const void* own) {
  return const_cast<std::byte*>(static_cast<const std::byte*>(own));
}

Access access_of(Access::Kind kind, int target, std::size_t offset, std::size_t bytes, const void* own) {
  return {.kind = kind, .target = target, .offset = offset, .bytes = bytes, .own = read_only(own)};
}
/// The same where bytes of the MPB are written. `delivered`: later than the core goes on.
Access write_of(Access::Kind kind, int target, std::size_t offset, std::size_t bytes, const void* own,
                bool delivered) {
  Access access = access_of(kind, target, offset, bytes, own);
  access.write = true;
  access.delivered = delivered;
  return access;
}

/// An access, given by make(), as it is told when it has come to its end.
template <class Make>
[[gnu::always_inline]] inline Access at_end(const Make& make, Picoseconds visible, Picoseconds memory = 0) {
  Access access = make();
  access.visible = visible;
  access.memory = memory;
  return access;
}

} // namespace

void Buffers::store(int target, std::size_t offset, const void* data, std::size_t bytes) {
  costs_.check(target, offset, bytes);
  probes_.before();
  const CoreState& core = costs_.core_state(kernel_.current());
  const RouteCost path = costs_.route_cost(core, target);
  kernel_.synchronise();
  const auto access = [&] { return write_of(Access::Kind::store, target, offset, bytes, data, true); };
  const Picoseconds begin = probes_.issue(access);
  const Moments cost = costs_.store(core, path);
  traffic_.charge(core, path, cost.ends, {}, false, 0);
  const Picoseconds visible = kernel_.now() + cost.flight();
  deliveries_.post_bytes(target, offset, data, bytes, visible);
  probes_.acts(access, visible);
  probes_.ends([&] { return at_end(access, visible); }, begin);
}

void Buffers::update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) {
  costs_.check(target, offset, 1);
  probes_.before();
  CoreState& core = active();
  const RouteCost path = costs_.route_cost(core, target);
  std::uint8_t old = 0;
  load_line(core, path, target, offset, &old, 1, false);
  kernel_.synchronise();
  const auto access = [&] {
    Access update = write_of(Access::Kind::update, target, offset, 1, nullptr, true);
    update.mask = mask;
    update.value = value;
    return update;
  };
  const Picoseconds begin = probes_.issue(access);
  const Moments cost = costs_.store(core, path);
  traffic_.charge(core, path, cost.ends, {}, false, 0);
  const Picoseconds visible = kernel_.now() + cost.flight();
  deliveries_.post_bits(target, offset, mask, value, visible);
  probes_.acts(access, visible);
  probes_.ends([&] { return at_end(access, visible); }, begin);
}

void Buffers::load(int source, std::size_t offset, void* data, std::size_t bytes) {
  costs_.check(source, offset, bytes);
  probes_.before();
  CoreState& core = active();
  load_line(core, costs_.route_cost(core, source), source, offset, data, bytes, true);
}

/// A read of at most one line by the running core; `alone`: not a part of an update, which acts as a whole.
void Buffers::load_line(CoreState& core, const RouteCost& path, int source, std::size_t offset, void* data,
                        std::size_t bytes, bool alone) {
  const Moments cost = SccCosts::load(path);
  SccCosts::load_into_cache(core, offset);
  kernel_.advance(cost.acts);
  kernel_.synchronise();
  const auto access = [&] {
    Access load = access_of(Access::Kind::load, source, offset, bytes, data);
    load.more = !alone;
    load.ahead = cost.acts;
    return load;
  };
  const Picoseconds begin = probes_.issue(access);
  copies_.commit(source, offset, bytes, false);
  copy_in_line(data, costs_.mpb(source) + offset, bytes);
  const Picoseconds looked = kernel_.now();
  traffic_.charge(core, path, cost.ends, {}, true, cost.acts);
  if (alone) probes_.acts(access, looked);
  probes_.ends(access, begin);
}

void Buffers::own_load(int source, std::size_t offset) {
  CoreState& core = active();
  const RouteCost path = costs_.route_cost(core, source);
  const Moments cost = SccCosts::load(path);
  SccCosts::load_into_cache(core, offset);
  kernel_.advance(cost.acts);
  kernel_.synchronise();
  copies_.commit(source, offset, line_bytes, false);
  traffic_.charge(core, path, cost.ends + costs_.near_line(core), {}, true, cost.acts);
}

void Buffers::own_store(int target, std::size_t offset, bool last) {
  const CoreState& core = costs_.core_state(kernel_.current());
  const RouteCost path = costs_.route_cost(core, target);
  kernel_.synchronise();
  copies_.commit(target, offset, line_bytes, true);
  const Moments cost = costs_.store(core, path);
  traffic_.charge(core, path, (last ? cost.acts : cost.ends) + costs_.near_line(core), {}, false, 0);
}

void Buffers::own_side(const void* address, std::size_t bytes, bool write) {
  CoreState& core = active();
  const Work work = costs_.own_side(core, address, bytes, write);
  const Picoseconds before = static_cast<Picoseconds>(lines_of(bytes)) * costs_.near_line(core);
  traffic_.spend_on_memory(core, write ? 0 : work.dram, write ? work.dram : 0, before, work.time);
}

/// The part of a line's copy that goes to memory. The line's other side may be an MPB, too.
Picoseconds Buffers::in_memory(const void* own, const Work& work) const noexcept {
  return costs_.place_of(own) == SccCosts::MemoryPlacement::mpb ? 0 : work.time;
}

void Buffers::put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy how) {
  costs_.check(target, offset, bytes);
  if (bytes == 0) return;
  probes_.before();
  CoreState& core = active();
  const RouteCost path = costs_.route_cost(core, target);
  kernel_.synchronise();
  const auto access = [&] { return write_of(Access::Kind::put, target, offset, bytes, source, false); };
  const Picoseconds begin = probes_.issue(access);
  core.lines_put += lines_of(bytes);
  if (in_one_line(offset, bytes)) {
    const Work work = costs_.other_side(core, source, bytes, false, how);
    copies_.commit(source, bytes, false);
    copies_.own_side_acts(source, bytes, false);
    std::byte line[line_bytes];
    copy_in_line(line, source, bytes);
    const Moments cost = costs_.store(core, path);
    traffic_.charge(core, path, cost.ends + work.time, work, false, 0);
    const Picoseconds visible = kernel_.now() + cost.flight();
    deliveries_.post_bytes(target, offset, line, bytes, visible);
    probes_.acts([&] { return write_of(Access::Kind::put, target, offset, bytes, source, true); }, visible);
    return probes_.ends([&] { return at_end(access, visible, in_memory(source, work)); }, begin);
  }
  Transfer& transfer =
      copies_.open(core, {false, how, {target, offset}, read_only(source), bytes, path, moves(bytes)});
  copies_.carry(transfer);
  const Picoseconds visible = kernel_.now() + costs_.store(core, path).flight();
  waiters_.written(target, offset, bytes, {Cause::Kind::copy, kernel_.current(), visible});
  probes_.ends([&] { return at_end(access, visible, transfer.progress.memory); }, begin);
}

void Buffers::get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how) {
  costs_.check(source, offset, bytes);
  if (bytes == 0) return;
  probes_.before();
  CoreState& core = active();
  const RouteCost path = costs_.route_cost(core, source);
  core.l1.invalidate_mpb();
  const auto access = [&] { return access_of(Access::Kind::get, source, offset, bytes, target); };
  const Picoseconds begin = probes_.issue(access);
  core.lines_got += lines_of(bytes);
  const Moments cost = SccCosts::load(path);
  if (in_one_line(offset, bytes)) {
    kernel_.advance(cost.acts);
    kernel_.synchronise();
    copies_.own_side_acts(target, bytes, true);
    probes_.acts(access, kernel_.now());
    copies_.commit(source, offset, bytes, false);
    copies_.commit(target, bytes, true);
    copy_in_line(target, costs_.mpb(source) + offset, bytes);
    const Work work = costs_.take_lines(core, offset, target, bytes, how);
    traffic_.charge(core, path, cost.ends + work.time, work, true, cost.acts);
    return probes_.ends([&] { return at_end(access, 0, in_memory(target, work)); }, begin);
  }
  Transfer& transfer = copies_.open(
      core, {true, how, {source, offset}, static_cast<std::byte*>(target), bytes, path, moves(bytes)});
  // The request of the first line is on its way before the first look at the buffer.
  kernel_.advance(cost.acts);
  transfer.progress.ahead = cost.acts;
  copies_.carry(transfer);
  probes_.ends([&] { return at_end(access, 0, transfer.progress.memory); }, begin);
}

void Buffers::wait(int source, std::size_t offset, Condition condition, Cycles overhead) {
  costs_.check(source, offset, condition.bytes);
  probes_.before();
  CoreState& core = active();
  const RouteCost path = costs_.route_cost(core, source);
  SccCosts::load_into_cache(core, offset);
  kernel_.synchronise();
  const auto access = [&] {
    return Access{.kind = Access::Kind::wait,
                  .mask = condition.mask,
                  .target = source,
                  .offset = offset,
                  .bytes = condition.bytes,
                  .value = condition.value,
                  .unequal = condition.unequal};
  };
  const Picoseconds begin = probes_.issue(access);
  Watch watch;
  watch.target = source;
  watch.offset = offset;
  watch.condition = condition;
  static_cast<SccCosts::PollingLoop&>(watch) = SccCosts::flag_loop(core, path, overhead, kernel_.now());
  for (;;) {
    watch.start = kernel_.now();
    if (waiters_.met(watch)) {
      // The look sees the word when it gets there; what this core has stored before it can arrive until then.
      kernel_.advance(watch.sample);
      kernel_.synchronise();
      const bool seen = waiters_.met(watch);
      if (seen) probes_.acts(access, kernel_.now());
      kernel_.advance(watch.period - watch.sample);
      if (seen) break;
      kernel_.synchronise();
      continue;
    }
    if (waiters_.sleep_on(watch)) { // else it was taken back before this core looked
      probes_.acts(access, kernel_.now());
      break;
    }
  }
  probes_.ends(access, begin);
}

/// A loop over several words has come to its end in the round that began at `round`, by the one that it has
/// `seen`. Those before it were looked at earlier; those behind it are not looked at any more, which stands
/// at this time.
void Buffers::polls_act(int source, std::span<const PollTarget> looks, std::size_t seen, Cycles overhead,
                        Picoseconds round) {
  if (!probes_.acts_matter()) return;
  const CoreState& core = active();
  const RouteCost path = costs_.route_cost(core, source);
  const auto notify = [&](std::size_t i, Picoseconds at) {
    probes_.notify_acts({.kind = Access::Kind::look,
                         .done = i == seen,
                         .more = i != seen,
                         .mask = looks[i].condition.mask,
                         .target = source,
                         .offset = looks[i].offset,
                         .bytes = looks[i].condition.bytes,
                         .value = looks[i].condition.value,
                         .unequal = looks[i].condition.unequal},
                        at);
  };
  SccCosts::round_of_polls(core, path, looks.first(seen), overhead, round,
                           [&](std::size_t i, Picoseconds at) {
                             notify(i, at + SccCosts::load(path).acts);
                             return false;
                           });
  for (std::size_t i = seen + 1; i < looks.size(); ++i) notify(i, kernel_.now());
  notify(seen, kernel_.now());
}

std::size_t Buffers::wait_any(int source, std::span<const PollTarget> looks, Cycles overhead) {
  if (looks.empty()) throw std::logic_error("Buffers::wait_any: nothing to wait for");
  probes_.before();
  CoreState& core = active();
  const RouteCost path = costs_.route_cost(core, source);
  const Moments cost = SccCosts::load(path);
  const Picoseconds period = costs_.begin_polls(core, source, path, looks, overhead);
  kernel_.synchronise();
  const auto access = [&] {
    return Access{
        .kind = Access::Kind::look, .target = source, .offset = looks.front().offset, .bytes = looks.size()};
  };
  const Picoseconds begin = probes_.issue(access);
  Watch watch;
  watch.target = source;
  watch.start = kernel_.now();
  watch.looks = looks;
  for (Picoseconds round = watch.start;;) {
    if (!waiters_.met(watch)) static_cast<void>(waiters_.sleep_on(watch));
    // The look that is due, and those behind it, until one is met. Looks that were due while the core
    // slept have seen nothing.
    round += (kernel_.now() - round) / period * period;
    std::size_t seen = looks.size();
    const Picoseconds next =
        SccCosts::round_of_polls(core, path, looks, overhead, round, [&](std::size_t i, Picoseconds at) {
          if (at + cost.acts < kernel_.now()) return false;
          kernel_.advance_to(at + cost.acts);
          kernel_.synchronise();
          if (!waiters_.met(source, looks[i].offset, looks[i].condition)) return false;
          seen = i;
          return true;
        });
    if (seen < looks.size()) {
      polls_act(source, looks, seen, overhead, round);
      kernel_.advance_to(next + cost.ends);
      probes_.ends(access, begin);
      return seen;
    }
    round = next;
    kernel_.advance_to(round);
    kernel_.synchronise();
  }
}

} // namespace mesh::scc
