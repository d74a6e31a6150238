// The simulated SCC's test-and-set registers and atomic counters.
#include <algorithm>
#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/scc/machine.hpp"

namespace mesh {

bool SccMachine::lock_try(int core_of_lock) {
  check(core_of_lock, 0, 0);
  before();
  return try_lock(core_of_lock);
}

bool SccMachine::try_lock(int core_of_lock) {
  const CoreState& core = me();
  const RegisterAccess cost = lock_read(core, core_of_lock);
  kernel_.advance(cost.one_way);
  kernel_.synchronise();
  std::uint8_t& taken = locks_[static_cast<std::size_t>(core_of_lock)];
  const bool won = taken == 0;
  const auto access = [&] {
    return Access{.kind = Access::Kind::lock_try, .write = won, .done = won, .target = core_of_lock};
  };
  const Picoseconds begin = issue(access);
  taken = 1;
  acts(access, kernel_.now());
  kernel_.advance(cost.one_way + cost.own);
  ends(access, begin);
  return won;
}

void SccMachine::lock_acquire(int core_of_lock) {
  check(core_of_lock, 0, 0);
  before(); // once: how often it has to try is not the program's doing
  while (!try_lock(core_of_lock)) {
    Watch watch;
    watch.target = core_of_lock;
    watch.on_lock = true;
    kernel_.synchronise();
    static_cast<PollingLoop&>(watch) = lock_loop(me(), core_of_lock, kernel_.now());
    // Then tries like everybody else.
    if (!met(watch, kernel_.now())) sleep_on(watch);
  }
}

void SccMachine::lock_release(int core_of_lock) {
  check(core_of_lock, 0, 0);
  before();
  const CoreState& core = me();
  const RegisterAccess cost = lock_reset(core, core_of_lock);
  kernel_.synchronise();
  const auto access = [&] {
    return Access{
        .kind = Access::Kind::lock_release, .write = true, .delivered = true, .target = core_of_lock};
  };
  const Picoseconds begin = issue(access);
  const std::uint32_t slot = pending_slot();
  pending_[slot] = {Pending::Kind::lock, 0, 0, kernel_.current(), core_of_lock, 0, {}};
  const Picoseconds visible = kernel_.now() + cost.own + cost.one_way;
  kernel_.post(visible, slot);
  acts(access, visible);
  // Two round trips: see lock_release_cycles.
  kernel_.advance(cost.own + 4 * cost.one_way);
  ends(access, begin);
}

std::uint32_t SccMachine::counter_access(int counter, bool write, std::uint32_t value, bool increment) {
  if (counter < 0 || static_cast<std::size_t>(counter) >= counters_.size())
    throw UserError(fmt::format("atomic counter {} is out of range 0..{}", counter, counters_.size() - 1));
  before();
  const Picoseconds half = counter_half(me());
  kernel_.advance(half);
  kernel_.synchronise();
  const auto access = [&] {
    return Access{
        .kind = Access::Kind::counter, .write = write || increment, .target = counter, .value = value};
  };
  const Picoseconds begin = issue(access);
  acts(access, kernel_.now());
  std::uint32_t& word = counters_[static_cast<std::size_t>(counter)];
  const std::uint32_t old = word;
  if (write) word = value;
  if (increment) ++word;
  for (CounterWatch& watch : counter_watches_)
    if (watch.counter == counter && watch.value == word && kernel_.blocked(watch.core)) {
      watch.met_by = kernel_.current();
      causes_[static_cast<std::size_t>(watch.core)] = {Cause::Kind::counter, watch.met_by, kernel_.now()};
      kernel_.wake(watch.core, kernel_.now());
    }
  kernel_.advance(half);
  ends(access, begin);
  return old;
}

void SccMachine::counter_wait(int counter, std::uint32_t value, Backoff pauses) {
  const Picoseconds half = counter_half(me());
  const Picoseconds longest = pauses.last * me().cycle;
  Picoseconds pause = pauses.first * me().cycle;
  const int self = kernel_.current();
  if (counter_access(counter, false, 0, false) == value) return;
  Picoseconds issue = kernel_.now() - 2 * half; // of the read that has been made; below of the next one
  const auto next_read = [&] {
    issue += 2 * half + pause;
    pause = std::min(2 * pause, longest);
  };
  for (next_read();;) {
    Watch& watch = watches_[static_cast<std::size_t>(self)];
    watch = {};
    watch.counter = counter;
    watch.condition = {.mask = ~0u, .value = value, .bytes = 0};
    watch.start = kernel_.now();
    counter_watches_.push_back({self, counter, value});
    block_on([counter] { return Wait{.on = Wait::On::counter, .target = counter}; });
    const auto own = std::ranges::find(counter_watches_, self, &CounterWatch::core);
    // At one instant the smaller core acts first.
    const Picoseconds seen_from = kernel_.now() + (own->met_by > self ? 1 : 0);
    counter_watches_.erase(own);
    while (issue + half < seen_from) next_read();
    kernel_.advance_to(issue + half);
    kernel_.synchronise();
    const bool seen = counters_[static_cast<std::size_t>(counter)] == value;
    acts([&] { return Access{.kind = Access::Kind::counter, .done = seen, .target = counter}; },
         kernel_.now());
    kernel_.advance(half);
    if (seen) return;
    next_read();
  }
}

} // namespace mesh
