// SPDX-License-Identifier: Apache-2.0
// Cores in simulated time: each access costs what the machine says it costs while nobody is in the way, and
// whoever sees what another core has written goes on no earlier than that could have been seen.
#include <algorithm>
#include <vector>

#include "engine/thread_core.hpp"

namespace rcce {

using mesh::in_one_line;
using mesh::lines_of;

bool Timestamps::Register::taken_at(Picoseconds time, Picoseconds& free) const noexcept {
  for (const Interval& one : past_) {
    if (time < one.from || time >= one.until) continue;
    free = one.until;
    return true;
  }
  return false;
}

void Timestamps::Register::gives_back(Picoseconds until) noexcept {
  past_[next_++ % remembered] = {from_, until};
}

StampedCore::StampedCore(ThreadMachine& machine, int id, Timestamps& timestamps)
    : ThreadCore(machine, id),
      timestamps_(timestamps),
      costs_(machine.costs),
      divider_(static_cast<int>(machine.costs.config().tile_divider)) {}

mesh::SccCosts::CoreState& StampedCore::state() {
  stop_point();
  mesh::SccCosts::CoreState& state = costs_.core_state(id_);
  const int divider =
      machine_.dividers[static_cast<std::size_t>(index(state.tile))].load(std::memory_order_relaxed);
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
  fabric_.waiting().look_everywhere();
  fabric_.waiting().give_way();
}

void StampedCore::put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy how) {
  costs_.check(target, offset, bytes);
  if (bytes == 0) return;
  auto& core = active();
  const auto way = costs_.route_cost(core, target);
  advance(costs_.copy(core, way, lines_of(bytes), false) +
          costs_.other_side(core, source, bytes, false, how).time);
  if (in_one_line(offset, bytes))
    timestamps_.stamps.store(target, offset, source, bytes, clock_ + costs_.store(core, way).flight());
  else
    timestamps_.stamps.put(target, offset, bytes, clock_);
  fabric_.put(target, offset, source, bytes);
}

void StampedCore::get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how) {
  costs_.check(source, offset, bytes);
  if (bytes == 0) return;
  auto& core = active();
  const auto way = costs_.route_cost(core, source);
  core.l1.invalidate_mpb();
  fabric_.get(target, source, offset, bytes);
  const Picoseconds written = in_one_line(offset, bytes)
      ? timestamps_.stamps.latest(source, offset, bytes)
      : timestamps_.stamps.latest_line(source, offset, bytes);
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
  timestamps_.stamps.store(target, offset, data, bytes, clock_ + cost.flight());
  fabric_.store(target, offset, data, bytes);
}

void StampedCore::update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) {
  costs_.check(target, offset, 1);
  auto& core = active();
  const auto way = costs_.route_cost(core, target);
  mesh::SccCosts::load_into_cache(core, offset);
  const auto write = costs_.store(core, way);
  advance(mesh::SccCosts::load(way).ends + write.ends);
  timestamps_.stamps.update(target, offset, mask, value, clock_ + write.flight());
  fabric_.update(target, offset, mask, value);
}

void StampedCore::load(int source, std::size_t offset, void* data, std::size_t bytes) {
  costs_.check(source, offset, bytes);
  auto& core = active();
  const auto cost = mesh::SccCosts::load(costs_.route_cost(core, source));
  mesh::SccCosts::load_into_cache(core, offset);
  fabric_.load(source, offset, data, bytes);
  Picoseconds look = clock_ + cost.acts;
  // Whoever has a register sees changes in the order in which it went round, not in that of the times.
  if (locks_held_ == 0) look = std::max(look, timestamps_.stamps.latest(source, offset, bytes));
  advance_to(look + cost.ends - cost.acts);
}

void StampedCore::wait(int source, std::size_t offset, Condition condition, Cycles overhead) {
  costs_.check(source, offset, condition.bytes);
  auto& core = active();
  const auto way = costs_.route_cost(core, source);
  mesh::SccCosts::load_into_cache(core, offset);
  const PollTarget look{offset, condition, 0};
  do {
    if (!fabric_.wait(id_, source, {&look, 1})) exit();
  } while (fabric_.first_met(source, {&look, 1}) != 0);
  const Picoseconds since = timestamps_.stamps.held_since(source, offset, condition);
  advance_to(mesh::SccCosts::flag_loop(core, way, overhead, clock_).end(since));
}

/// The looks go round in time; of the wishes that have come about, the first look that sees one ends the
/// loop.
std::size_t StampedCore::wait_any(int source, std::span<const PollTarget> looks, Cycles overhead) {
  auto& core = active();
  const auto way = costs_.route_cost(core, source);
  const auto cost = mesh::SccCosts::load(way);
  const Picoseconds period = costs_.begin_polls(core, source, way, looks, overhead);
  std::vector<Picoseconds> since(looks.size());
  std::size_t first = 0;
  do {
    if (!fabric_.wait(id_, source, looks)) exit();
    for (std::size_t i = 0; i < looks.size(); ++i)
      since[i] = fabric_.first_met(source, looks.subspan(i, 1)) == 0
          ? timestamps_.stamps.held_since(source, looks[i].offset, looks[i].condition)
          : INT64_MAX;
    first = static_cast<std::size_t>(std::ranges::min_element(since) - since.begin());
  } while (since[first] == INT64_MAX);
  const Picoseconds late = since[first] - cost.acts - clock_;
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

bool StampedCore::lock_try(int core_of_lock) {
  costs_.check(core_of_lock, 0, 0);
  const auto access = costs_.lock_read(state(), core_of_lock);
  const Picoseconds look = clock_ + access.acts;
  advance(access.ends);
  if (!fabric_.lock_try(core_of_lock)) {
    fabric_.waiting().give_way();
    return false;
  }
  Timestamps::Register& taken = timestamps_.registers[static_cast<std::size_t>(core_of_lock)];
  if (Picoseconds free = 0; taken.taken_at(look, free)) {
    fabric_.unlock(core_of_lock);
    return false;
  }
  taken.took(look);
  ++locks_held_;
  return true;
}

void StampedCore::lock_acquire(int core_of_lock) {
  costs_.check(core_of_lock, 0, 0);
  auto& core = state();
  if (!fabric_.lock(id_, core_of_lock)) exit();
  Timestamps::Register& taken = timestamps_.registers[static_cast<std::size_t>(core_of_lock)];
  const auto access = costs_.lock_read(core, core_of_lock);
  for (Picoseconds free = 0;;) {
    const Picoseconds look = clock_ + access.acts;
    advance(access.ends);
    if (!taken.taken_at(look, free)) {
      taken.took(look);
      ++locks_held_;
      return;
    }
    advance_to(std::max(clock_, costs_.lock_loop(core, core_of_lock, clock_).end(free)));
  }
}

void StampedCore::lock_release(int core_of_lock) {
  costs_.check(core_of_lock, 0, 0);
  const auto access = costs_.lock_reset(state(), core_of_lock);
  timestamps_.registers[static_cast<std::size_t>(core_of_lock)].gives_back(clock_ + access.acts);
  if (locks_held_ > 0) --locks_held_;
  advance(access.ends);
  fabric_.unlock(core_of_lock);
}

template <class Act>
std::uint32_t StampedCore::change_counter(int number, Act&& act) {
  const auto access = costs_.counter(state());
  (void)fabric_.counter(number);
  Timestamps::Counter& counter = timestamps_.counters[static_cast<std::size_t>(number)];
  const std::lock_guard guard(counter.mutex);
  counter.changed = std::max(counter.changed, clock_ + access.acts);
  advance_to(counter.changed + access.ends - access.acts);
  return fabric_.change_counter(number, act);
}

std::uint32_t StampedCore::counter_increment(int counter) {
  return change_counter(counter, [](auto& word) { return word.fetch_add(1); });
}

void StampedCore::counter_write(int counter, std::uint32_t value) {
  change_counter(counter, [value](auto& word) { return word.exchange(value); });
}

std::uint32_t StampedCore::counter_read(int number) {
  const auto access = costs_.counter(state());
  const auto& word = fabric_.counter(number);
  Timestamps::Counter& counter = timestamps_.counters[static_cast<std::size_t>(number)];
  const std::lock_guard guard(counter.mutex);
  advance_to(std::max(counter.changed, clock_ + access.acts) + access.ends - access.acts);
  return word;
}

void StampedCore::counter_wait(int number, std::uint32_t value, Backoff pauses) {
  auto loop = costs_.counter_loop(state(), pauses, clock_);
  if (!fabric_.wait_counter(id_, number, value)) exit();
  Timestamps::Counter& counter = timestamps_.counters[static_cast<std::size_t>(number)];
  Picoseconds changed = 0;
  {
    const std::lock_guard guard(counter.mutex);
    changed = counter.changed;
  }
  while (loop.acts() < changed) loop.next();
  advance_to(loop.issue + loop.read.ends);
}

void StampedCore::map_private(const void* base, std::size_t bytes) {
  costs_.map_private(id_, base, bytes);
}

void StampedCore::touch(const void* base, std::size_t bytes, bool write) {
  auto& core = active();
  if (write)
    costs_.write_private(core, base, bytes, Copy::plain);
  else
    costs_.read_private(core, base, bytes);
}

} // namespace rcce
