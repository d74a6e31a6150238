// SPDX-License-Identifier: Apache-2.0
// Cores in simulated time: each access costs what the machine says it costs while nobody is in the way, and
// whoever sees what another core has written goes on no earlier than that could have been seen.
#include <algorithm>
#include <vector>

#include "engine/thread_core.hpp"

namespace rcce {

using mesh::in_one_line;
using mesh::lines_of;

bool Chronicle::Register::taken_at(Picoseconds time, Picoseconds& free) const noexcept {
  for (const Interval& one : past_) {
    if (time < one.from || time >= one.until) continue;
    free = one.until;
    return true;
  }
  return false;
}

void Chronicle::Register::gives_back(Picoseconds until) noexcept {
  past_[next_++ % remembered] = {from_, until};
}

StampedCore::StampedCore(ThreadMachine& machine, int id, Chronicle& chronicle)
    : ThreadCore(machine, id),
      chronicle_(chronicle),
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
  const auto way = costs_.passage(core, target);
  const auto lines = static_cast<Picoseconds>(lines_of(bytes));
  advance(lines * costs_.write_line(core) + costs_.other_side(core, source, bytes, false, how).time);
  if (in_one_line(offset, bytes))
    chronicle_.stamps.store(target, offset, source, bytes, clock_ + way.one_way);
  else
    chronicle_.stamps.put(target, offset, bytes, clock_);
  fabric_.put(target, offset, source, bytes);
}

void StampedCore::get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how) {
  costs_.check(source, offset, bytes);
  if (bytes == 0) return;
  auto& core = active();
  const auto way = costs_.passage(core, source);
  core.l1.invalidate_mpb();
  fabric_.get(target, source, offset, bytes);
  const Picoseconds written = in_one_line(offset, bytes)
      ? chronicle_.stamps.latest(source, offset, bytes)
      : chronicle_.stamps.latest_line(source, offset, bytes);
  const Picoseconds start = locks_held_ > 0 ? clock_ : std::max(clock_, written - way.one_way);
  const auto lines = static_cast<Picoseconds>(lines_of(bytes));
  advance_to(start + lines * way.read + costs_.take_lines(core, offset, target, bytes, how).time);
}

void StampedCore::store(int target, std::size_t offset, const void* data, std::size_t bytes) {
  costs_.check(target, offset, bytes);
  auto& core = state();
  advance(costs_.write_line(core));
  chronicle_.stamps.store(target, offset, data, bytes, clock_ + costs_.passage(core, target).one_way);
  fabric_.store(target, offset, data, bytes);
}

void StampedCore::update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) {
  costs_.check(target, offset, 1);
  auto& core = active();
  const auto way = costs_.passage(core, target);
  core.l1.invalidate_mpb();
  core.l1.read_mpb(offset, 1);
  advance(way.read + costs_.write_line(core));
  chronicle_.stamps.update(target, offset, mask, value, clock_ + way.one_way);
  fabric_.update(target, offset, mask, value);
}

void StampedCore::load(int source, std::size_t offset, void* data, std::size_t bytes) {
  costs_.check(source, offset, bytes);
  auto& core = active();
  const auto way = costs_.passage(core, source);
  core.l1.invalidate_mpb();
  core.l1.read_mpb(offset, 1);
  fabric_.load(source, offset, data, bytes);
  Picoseconds look = clock_ + way.one_way;
  // Whoever has a register sees changes in the order in which it went round, not in that of the times.
  if (locks_held_ == 0) look = std::max(look, chronicle_.stamps.latest(source, offset, bytes));
  advance_to(look + way.read - way.one_way);
}

void StampedCore::wait(int source, std::size_t offset, Condition condition, Cycles overhead) {
  costs_.check(source, offset, condition.bytes);
  auto& core = active();
  const auto way = costs_.passage(core, source);
  core.l1.invalidate_mpb();
  core.l1.read_mpb(offset, 1);
  const Look look{offset, condition, 0};
  do {
    if (!fabric_.wait(id_, source, {&look, 1})) exit();
  } while (fabric_.first_met(source, {&look, 1}) != 0);
  const Picoseconds since = chronicle_.stamps.held_since(source, offset, condition);
  advance_to(mesh::SccCosts::flag_loop(core, way, overhead, clock_).end(since));
}

/// The looks go round in time; of the wishes that have come about, the first look that sees one ends the
/// loop.
std::size_t StampedCore::wait_any(int source, std::span<const Look> looks, Cycles overhead) {
  auto& core = active();
  const auto way = costs_.passage(core, source);
  core.l1.invalidate_mpb();
  Picoseconds period = overhead * core.cycle;
  for (const Look& look : looks) {
    costs_.check(source, look.offset, look.condition.bytes);
    core.l1.read_mpb(look.offset, 1);
    period += look.overhead * core.cycle + way.read;
  }
  std::vector<Picoseconds> since(looks.size());
  std::size_t first = 0;
  do {
    if (!fabric_.wait(id_, source, looks)) exit();
    for (std::size_t i = 0; i < looks.size(); ++i)
      since[i] = fabric_.first_met(source, looks.subspan(i, 1)) == 0
          ? chronicle_.stamps.held_since(source, looks[i].offset, looks[i].condition)
          : INT64_MAX;
    first = static_cast<std::size_t>(std::ranges::min_element(since) - since.begin());
  } while (since[first] == INT64_MAX);
  const Picoseconds late = since[first] - way.one_way - clock_;
  for (Picoseconds round = clock_ + (late > period ? (late - period) / period * period : 0);;) {
    Picoseconds at = round + overhead * core.cycle;
    for (std::size_t i = 0; i < looks.size(); ++i) {
      at += looks[i].overhead * core.cycle;
      if (at + way.one_way >= since[i]) {
        advance_to(at + way.read);
        return i;
      }
      at += way.read;
    }
    round = at;
  }
}

bool StampedCore::lock_try(int core_of_lock) {
  costs_.check(core_of_lock, 0, 0);
  const auto access = costs_.lock_read(state(), core_of_lock);
  const Picoseconds look = clock_ + access.one_way;
  advance(2 * access.one_way + access.own);
  if (!fabric_.lock_try(core_of_lock)) {
    fabric_.waiting().give_way();
    return false;
  }
  Chronicle::Register& taken = chronicle_.registers[static_cast<std::size_t>(core_of_lock)];
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
  Chronicle::Register& taken = chronicle_.registers[static_cast<std::size_t>(core_of_lock)];
  const auto access = costs_.lock_read(core, core_of_lock);
  for (Picoseconds free = 0;;) {
    const Picoseconds look = clock_ + access.one_way;
    advance(2 * access.one_way + access.own);
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
  chronicle_.registers[static_cast<std::size_t>(core_of_lock)].gives_back(clock_ + access.own +
                                                                          access.one_way);
  if (locks_held_ > 0) --locks_held_;
  advance(access.own + 4 * access.one_way);
  fabric_.unlock(core_of_lock);
}

template <class Act>
std::uint32_t StampedCore::change_counter(int number, Act&& act) {
  const Picoseconds half = costs_.counter_half(state());
  (void)fabric_.counter(number);
  Chronicle::Counter& counter = chronicle_.counters[static_cast<std::size_t>(number)];
  const std::lock_guard guard(counter.mutex);
  counter.changed = std::max(counter.changed, clock_ + half);
  advance_to(counter.changed + half);
  return fabric_.change_counter(number, act);
}

std::uint32_t StampedCore::counter_increment(int counter) {
  return change_counter(counter, [](auto& word) { return word.fetch_add(1); });
}

void StampedCore::counter_write(int counter, std::uint32_t value) {
  change_counter(counter, [value](auto& word) { return word.exchange(value); });
}

std::uint32_t StampedCore::counter_read(int number) {
  const Picoseconds half = costs_.counter_half(state());
  const auto& word = fabric_.counter(number);
  Chronicle::Counter& counter = chronicle_.counters[static_cast<std::size_t>(number)];
  const std::lock_guard guard(counter.mutex);
  advance_to(std::max(counter.changed, clock_ + half) + half);
  return word;
}

void StampedCore::counter_wait(int number, std::uint32_t value, Backoff pauses) {
  const auto& core = state();
  const Picoseconds half = costs_.counter_half(core);
  if (!fabric_.wait_counter(id_, number, value)) exit();
  Chronicle::Counter& counter = chronicle_.counters[static_cast<std::size_t>(number)];
  Picoseconds changed = 0;
  {
    const std::lock_guard guard(counter.mutex);
    changed = counter.changed;
  }
  Picoseconds issue = clock_, pause = pauses.first * core.cycle;
  while (issue + half < changed) {
    issue += 2 * half + pause;
    pause = std::min(2 * pause, pauses.last * core.cycle);
  }
  advance_to(issue + 2 * half);
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
