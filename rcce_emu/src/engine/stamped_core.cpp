// SPDX-License-Identifier: Apache-2.0
#include "engine/stamped_core.hpp"
#include "mesh_sim/parts/own_accesses.hpp"

#include <vector>

namespace rcce {

using mesh::in_one_line;
using mesh::lines_of;

bool RegisterTimes::taken_at(Picoseconds time, Picoseconds& free) const noexcept {
  for (const Interval& one : past_) {
    if (time < one.from || time >= one.until) continue;
    free = one.until;
    return true;
  }
  return false;
}

void RegisterTimes::gives_back(Picoseconds until) noexcept {
  past_[next_++ % remembered] = {from_, until};
}

bool StampedFabric::wait(int core, int source, std::span<const PollTarget> looks,
                         std::span<Picoseconds> since) {
  do {
    if (!wait_for_any(core, source, looks)) return false;
    std::ranges::transform(looks, since.begin(),
                           [&](const PollTarget& look) { return held_since(source, look); });
  } while (std::ranges::count(since, never) == std::ssize(since));
  return true;
}

StampedCore::StampedCore(StampedFabric& fabric, mesh::SccCosts& costs, int id)
    : StackCore(costs, id), fabric_(fabric), divider_(static_cast<int>(costs.config().tile_divider)) {}

mesh::SccCosts::CoreState& StampedCore::state() {
  stop_point();
  mesh::SccCosts::CoreState& state = costs_.core_state(id_);
  const int divider = fabric_.divider(index(state.tile));
  if (divider != divider_) costs_.set_core_clock(id_, divider_ = divider);
  return state;
}

mesh::SccCosts::CoreState& StampedCore::active() {
  (void)state();
  return costs_.active(id_);
}

void StampedCore::compute(Cycles cycles) {
  advance(cycles * state().cycle);
}

void StampedCore::spin(unsigned rounds) {
  advance(state().dram_line * rounds);
  fabric_.spin();
}

void StampedCore::put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy how) {
  costs_.check(target, offset, bytes);
  if (bytes == 0) return;
  auto& core = active();
  const auto way = costs_.route_cost(core, target);
  advance(costs_.copy(core, way, lines_of(bytes), false) +
          costs_.other_side(core, source, bytes, false, how).time);
  if (in_one_line(offset, bytes))
    fabric_.store(target, offset, source, bytes, clock_ + costs_.store(core, way).flight());
  else
    fabric_.put(target, offset, source, bytes, clock_);
}

void StampedCore::get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how) {
  costs_.check(source, offset, bytes);
  if (bytes == 0) return;
  auto& core = active();
  const auto way = costs_.route_cost(core, source);
  core.l1.invalidate_mpb();
  const Picoseconds written = in_one_line(offset, bytes) ? fabric_.load(source, offset, target, bytes)
                                                         : fabric_.get(target, source, offset, bytes);
  const Picoseconds start =
      locks_held_ > 0 ? clock_ : std::max(clock_, written - mesh::SccCosts::load(way).acts);
  advance_to(start + costs_.copy(core, way, lines_of(bytes), true) +
             costs_.take_lines(core, offset, target, bytes, how).time);
}

void StampedCore::store(int target, std::size_t offset, const void* data, std::size_t bytes) {
  costs_.check(target, offset, bytes);
  auto& core = state();
  const auto cost = costs_.store(core, costs_.route_cost(core, target));
  advance(cost.ends);
  fabric_.store(target, offset, data, bytes, clock_ + cost.flight());
}

void StampedCore::update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) {
  costs_.check(target, offset, 1);
  auto& core = active();
  const auto way = costs_.route_cost(core, target);
  mesh::SccCosts::load_into_cache(core, offset);
  const auto write = costs_.store(core, way);
  advance(mesh::SccCosts::load(way).ends + write.ends);
  fabric_.update(target, offset, mask, value, clock_ + write.flight());
}

void StampedCore::load(int source, std::size_t offset, void* data, std::size_t bytes) {
  costs_.check(source, offset, bytes);
  auto& core = active();
  const auto cost = mesh::SccCosts::load(costs_.route_cost(core, source));
  mesh::SccCosts::load_into_cache(core, offset);
  const Picoseconds written = fabric_.load(source, offset, data, bytes);
  Picoseconds look = clock_ + cost.acts;
  // Whoever has a register sees changes in the order in which it went round, not in that of the times.
  if (locks_held_ == 0) look = std::max(look, written);
  advance_to(look + cost.ends - cost.acts);
}

void StampedCore::wait(int source, std::size_t offset, Condition condition, Cycles overhead) {
  costs_.check(source, offset, condition.bytes);
  auto& core = active();
  const auto way = costs_.route_cost(core, source);
  mesh::SccCosts::load_into_cache(core, offset);
  const PollTarget look{offset, condition, 0};
  Picoseconds since = 0;
  if (!fabric_.wait(id_, source, {&look, 1}, {&since, 1})) exit();
  advance_to(mesh::SccCosts::flag_loop(core, way, overhead, clock_).end(since));
}

/// The looks go round in time; of the conditions that hold by then, the first look that sees one ends the
/// loop.
std::size_t StampedCore::wait_any(int source, std::span<const PollTarget> looks, Cycles overhead) {
  auto& core = active();
  const auto way = costs_.route_cost(core, source);
  const auto cost = mesh::SccCosts::load(way);
  const Picoseconds period = costs_.begin_polls(core, source, way, looks, overhead);
  std::vector<Picoseconds> since(looks.size());
  if (!fabric_.wait(id_, source, looks, since)) exit();
  const Picoseconds first = *std::ranges::min_element(since);
  const Picoseconds late = first - cost.acts - clock_;
  std::size_t seen = looks.size();
  Picoseconds at = clock_ + (late > period ? (late - period) / period * period : 0);
  while (seen == looks.size())
    at =
        mesh::SccCosts::round_of_polls(core, way, looks, overhead, at, [&](std::size_t i, Picoseconds issue) {
          if (issue + cost.acts < since[i]) return false;
          seen = i;
          return true;
        });
  advance_to(at + cost.ends);
  return seen;
}

void StampedCore::own_load(int source, std::size_t offset) {
  auto& core = active();
  mesh::SccCosts::load_into_cache(core, offset);
  advance(mesh::SccCosts::load(costs_.route_cost(core, source)).ends + costs_.near_line(core));
}

void StampedCore::own_store(int target, std::size_t, bool last) {
  auto& core = state();
  const auto cost = costs_.store(core, costs_.route_cost(core, target));
  advance((last ? cost.acts : cost.ends) + costs_.near_line(core));
}

void StampedCore::own_side(const void* address, std::size_t bytes, bool write) {
  advance(costs_.own_side(active(), address, bytes, write).time);
}

bool StampedCore::lock_try(int core_of_lock) {
  costs_.check(core_of_lock, 0, 0);
  const auto access = costs_.lock_read(state(), core_of_lock);
  const Picoseconds look = clock_ + access.acts;
  advance(access.ends);
  if (!fabric_.lock_try(core_of_lock)) {
    fabric_.give_way();
    return false;
  }
  RegisterTimes taken = fabric_.register_times(core_of_lock);
  if (Picoseconds free = 0; taken.taken_at(look, free)) {
    fabric_.unlock(core_of_lock);
    return false;
  }
  took(core_of_lock, taken, look);
  return true;
}

void StampedCore::lock_acquire(int core_of_lock) {
  costs_.check(core_of_lock, 0, 0);
  auto& core = state();
  if (!fabric_.lock(id_, core_of_lock)) exit();
  RegisterTimes taken = fabric_.register_times(core_of_lock);
  const auto access = costs_.lock_read(core, core_of_lock);
  for (Picoseconds free = 0;;) {
    const Picoseconds look = clock_ + access.acts;
    advance(access.ends);
    if (!taken.taken_at(look, free)) return took(core_of_lock, taken, look);
    advance_to(std::max(clock_, costs_.lock_loop(core, core_of_lock, clock_).end(free)));
  }
}

void StampedCore::took(int core_of_lock, RegisterTimes& times, Picoseconds from) {
  times.took(from);
  fabric_.set_register_times(core_of_lock, times);
  ++locks_held_;
}

void StampedCore::lock_release(int core_of_lock) {
  costs_.check(core_of_lock, 0, 0);
  const auto access = costs_.lock_reset(state(), core_of_lock);
  RegisterTimes taken = fabric_.register_times(core_of_lock);
  taken.gives_back(clock_ + access.acts);
  fabric_.set_register_times(core_of_lock, taken);
  if (locks_held_ > 0) --locks_held_;
  advance(access.ends);
  fabric_.unlock(core_of_lock);
}

std::uint32_t StampedCore::access_counter(int number, StampedFabric::CounterAccess how,
                                          std::uint32_t operand) {
  const auto access = costs_.counter(state());
  const auto seen = fabric_.access_counter(number, how, operand, clock_ + access.acts);
  advance_to(seen.at + access.ends - access.acts);
  return seen.word;
}

void StampedCore::counter_wait(int number, std::uint32_t value, Backoff pauses) {
  auto loop = costs_.counter_loop(state(), pauses, clock_);
  Picoseconds changed = 0;
  if (!fabric_.wait_counter(id_, number, value, changed)) exit();
  while (loop.acts() < changed) loop.next();
  advance_to(loop.issue + loop.read.ends);
}

void StampedCore::map_private(const void* base, std::size_t bytes) {
  costs_.map_private(id_, base, bytes);
}

Picoseconds StampedCore::access(std::uint64_t rounds, std::span<const mesh::AccessStream> streams,
                                mesh::KnownLines& known) {
  return costs_.access(active(), rounds, streams, known);
}

void StampedCore::touch(const void* base, std::size_t bytes, bool write) {
  auto& core = active();
  if (write)
    costs_.write_private(core, base, bytes, Copy::plain);
  else
    costs_.read_private(core, base, bytes);
}

} // namespace rcce
