// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/registers.hpp"

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"

namespace mesh::scc {

bool RegisterAccesses::lock_try(int core_of_lock) {
  costs_.check(core_of_lock, 0, 0);
  probes_.before();
  return try_lock(core_of_lock, false);
}

/// `until_won`: where it fails the core will try again, which is the same access.
bool RegisterAccesses::try_lock(int core_of_lock, bool until_won) {
  const SccCosts::CoreState& core = me();
  const SccCosts::Moments cost = costs_.lock_read(core, core_of_lock);
  kernel_.advance(cost.acts);
  kernel_.synchronise();
  std::uint8_t& taken = words_.taken[static_cast<std::size_t>(core_of_lock)];
  const bool won = taken == 0;
  const auto access = [&] {
    return Access{.kind = Access::Kind::lock_try,
                  .write = won,
                  .done = won,
                  .more = until_won && !won,
                  .target = core_of_lock,
                  .ahead = cost.acts};
  };
  const Picoseconds begin = probes_.issue(access);
  taken = 1;
  probes_.acts(access, kernel_.now());
  kernel_.advance(cost.ends - cost.acts);
  probes_.ends(access, begin);
  return won;
}

void RegisterAccesses::lock_acquire(int core_of_lock) {
  costs_.check(core_of_lock, 0, 0);
  probes_.before(); // once: how often it has to try is not the program's doing
  while (!try_lock(core_of_lock, true)) {
    Watch watch;
    watch.target = core_of_lock;
    watch.on_lock = true;
    kernel_.synchronise();
    static_cast<SccCosts::PollingLoop&>(watch) = costs_.lock_loop(me(), core_of_lock, kernel_.now());
    // Then tries like everybody else.
    if (!waiters_.met(watch)) static_cast<void>(waiters_.sleep_on(watch));
  }
}

void RegisterAccesses::lock_release(int core_of_lock) {
  costs_.check(core_of_lock, 0, 0);
  probes_.before();
  const SccCosts::CoreState& core = me();
  const SccCosts::Moments cost = costs_.lock_reset(core, core_of_lock);
  kernel_.synchronise();
  const auto access = [&] {
    return Access{
        .kind = Access::Kind::lock_release, .write = true, .delivered = true, .target = core_of_lock};
  };
  const Picoseconds begin = probes_.issue(access);
  const Picoseconds visible = kernel_.now() + cost.acts;
  deliveries_.post_release(core_of_lock, visible);
  probes_.acts(access, visible);
  kernel_.advance(cost.ends);
  probes_.ends(access, begin);
}

std::uint32_t RegisterAccesses::counter_access(int counter, bool write, std::uint32_t value, bool increment) {
  return access_counter(counter, write, value, increment, nullptr);
}

Picoseconds RegisterAccesses::await_turn() {
  kernel_.synchronise();
  const Picoseconds waited = traffic_.request_waits(me());
  if (waited > 0) {
    kernel_.advance(waited);
    kernel_.synchronise();
  }
  return waited;
}

/// `wanted`: the value until which the core will look at the counter; null: it looks once.
std::uint32_t RegisterAccesses::access_counter(int counter, bool write, std::uint32_t value, bool increment,
                                               const std::uint32_t* wanted) {
  if (counter < 0 || static_cast<std::size_t>(counter) >= words_.counters.size())
    throw UserError(
        fmt::format("atomic counter {} is out of range 0..{}", counter, words_.counters.size() - 1));
  probes_.before();
  const SccCosts::Moments cost = costs_.counter(me());
  kernel_.advance(cost.acts);
  const Picoseconds ahead = cost.acts + await_turn();
  const auto access = [&] {
    return Access{.kind = Access::Kind::counter,
                  .write = write || increment,
                  .done = wanted == nullptr || words_.counters[static_cast<std::size_t>(counter)] == *wanted,
                  .more = wanted != nullptr && words_.counters[static_cast<std::size_t>(counter)] != *wanted,
                  .waits = wanted != nullptr,
                  .target = counter,
                  .value = value,
                  .added = increment,
                  .ahead = ahead};
  };
  const Picoseconds begin = probes_.issue(access);
  probes_.acts(access, kernel_.now());
  std::uint32_t& word = words_.counters[static_cast<std::size_t>(counter)];
  const std::uint32_t old = word;
  if (write) word = value;
  if (increment) ++word;
  waiters_.counted(counter);
  kernel_.advance(cost.ends - cost.acts + traffic_.answer_waits(me()));
  probes_.ends(access, begin);
  return old;
}

void RegisterAccesses::counter_wait(int counter, std::uint32_t value, Backoff pauses) {
  SccCosts::CounterLoop loop = costs_.counter_loop(me(), pauses, kernel_.now());
  const int self = kernel_.current();
  if (access_counter(counter, false, 0, false, &value) == value) return;
  loop.issue = kernel_.now() - loop.read.ends;
  for (loop.next();;) {
    traffic_.polls_counter(me(), loop.read.ends + loop.pause);
    const int met_by = waiters_.sleep_on_counter(counter, value);
    traffic_.polls_counter(me(), 0);
    // At one instant the smaller core acts first.
    const Picoseconds seen_from = kernel_.now() + (met_by > self ? 1 : 0);
    while (loop.acts() < seen_from) loop.next();
    kernel_.advance_to(loop.acts());
    loop.issue += await_turn();
    const bool seen = words_.counters[static_cast<std::size_t>(counter)] == value;
    probes_.acts(
        [&] {
          return Access{
              .kind = Access::Kind::counter, .done = seen, .more = !seen, .waits = true, .target = counter};
        },
        kernel_.now());
    const Picoseconds back = traffic_.answer_waits(me());
    loop.issue += back;
    kernel_.advance(loop.read.ends - loop.read.acts + back);
    if (seen) return;
    loop.next();
  }
}

} // namespace mesh::scc
