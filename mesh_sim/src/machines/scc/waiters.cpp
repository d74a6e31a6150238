// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/scc/waiters.hpp"

#include <algorithm>
#include <cstring>

namespace mesh::scc {

Waiters::Waiters(Kernel& kernel, SccCosts& costs, ProbeSet& probes, Copies& copies,
                 const RegisterWords& words)
    : kernel_(kernel),
      costs_(costs),
      probes_(probes),
      copies_(copies),
      words_(words),
      watches_(static_cast<std::size_t>(costs.topology().cores())),
      looks_(watches_.size()),
      causes_(watches_.size()),
      watchers_(watches_.size()) {}

bool Waiters::met(int target, std::size_t offset, const Condition& condition) noexcept {
  copies_.commit(target, offset, condition.bytes, false);
  const std::byte* place = costs_.mpb(target) + offset;
  if (condition.bytes == 1) return condition.holds(static_cast<std::uint32_t>(*place));
  std::uint32_t word = 0;
  std::memcpy(&word, place, condition.bytes);
  return condition.holds(word);
}

bool Waiters::met(const Watch& watch) noexcept {
  if (watch.on_lock) return words_.taken[static_cast<std::size_t>(watch.target)] == 0;
  if (watch.looks.empty()) return met(watch.target, watch.offset, watch.condition);
  return std::ranges::any_of(
      watch.looks, [&](const PollTarget& look) { return met(watch.target, look.offset, look.condition); });
}

/// Wakes a core whose condition can be seen from `at` on: a simple loop when it goes on after the look that
/// sees it; a loop of several looks at once, since another of its conditions may be met before the look that
/// is due for this one.
void Waiters::wake(int core, const Cause& cause) {
  const auto i = static_cast<std::size_t>(core);
  causes_[i] = cause;
  const Watch& watch = watches_[i];
  if (!watch.looks.empty()) return kernel_.wake(core, cause.at);
  const Picoseconds end = watch.end(cause.at);
  looks_[i].at = end - watch.finish + watch.sample;
  looks_[i].met = true;
  kernel_.wake(core, end);
}

void Waiters::written(int target, std::size_t offset, std::size_t bytes, const Cause& cause) {
  for (const int core : watchers_[static_cast<std::size_t>(target)]) {
    const Watch& watch = watches_[static_cast<std::size_t>(core)];
    const auto covers = [&](std::size_t watched, const Condition& condition) {
      return watched < offset + bytes && offset < watched + condition.bytes;
    };
    if (watch.on_lock) continue;
    if (!kernel_.blocked(core)) { // it has been woken: its look sees what is visible by then
      Look& look = looks_[static_cast<std::size_t>(core)];
      if (watch.looks.empty() && cause.at <= look.at && covers(watch.offset, watch.condition))
        look.met = met(watch);
      continue;
    }
    const bool touched = watch.looks.empty() ? covers(watch.offset, watch.condition)
                                             : std::ranges::any_of(watch.looks, [&](const PollTarget& look) {
                                                 return covers(look.offset, look.condition);
                                               });
    if (touched && met(watch)) wake(core, cause);
  }
}

bool Waiters::recheck(Picoseconds at, bool nobody_acts) {
  bool any = false;
  for (const auto& watchers : watchers_)
    for (const int core : watchers) {
      const Watch& watch = watches_[static_cast<std::size_t>(core)];
      // Of those who wait for a free lock one has been woken, and no plain store frees any.
      if (watch.on_lock && !nobody_acts) continue;
      if (!kernel_.blocked(core) || !met(watch)) continue;
      if (nobody_acts && rescues_.count++ == 0) rescues_.core = core, rescues_.at = at;
      wake(core, {Cause::Kind::plain_store, -1, at});
      any = true;
    }
  return any;
}

void Waiters::block_and_tell(Wait wait) {
  wait.core = kernel_.current();
  wait.begin = kernel_.now();
  probes_.notify(&Observer::wait_begins, EventMask::waits, wait);
  kernel_.block();
  wait.end = kernel_.now();
  wait.cause = causes_[static_cast<std::size_t>(wait.core)];
  probes_.notify(&Observer::wait_ends, EventMask::waits, wait);
}

bool Waiters::sleep_on(const Watch& watch) {
  const int self = kernel_.current();
  const std::uint64_t sleep = ++sleeps_;
  looks_[static_cast<std::size_t>(self)] = {.sleep = sleep};
  watches_[static_cast<std::size_t>(self)] = watch;
  std::vector<int>& watchers = watchers_[static_cast<std::size_t>(watch.target)];
  watchers.push_back(self);
  block_on([&] {
    return Wait{.on = watch.on_lock       ? Wait::Target::lock
                    : watch.looks.empty() ? Wait::Target::word
                                          : Wait::Target::words,
                .target = watch.target,
                .offset = watch.looks.empty() ? watch.offset : watch.looks.front().offset};
  });
  watchers.erase(std::find(watchers.begin(), watchers.end(), self));
  const Look& look = looks_[static_cast<std::size_t>(self)];
  return look.sleep == sleep && look.met;
}

int Waiters::sleep_on_counter(int counter, std::uint32_t value) {
  const int self = kernel_.current();
  Watch& watch = watches_[static_cast<std::size_t>(self)];
  watch = {};
  watch.counter = counter;
  watch.condition = {.mask = ~0u, .value = value, .bytes = 0};
  watch.start = kernel_.now();
  counter_watches_.push_back({self, counter, value});
  block_on([counter] { return Wait{.on = Wait::Target::counter, .target = counter}; });
  const auto own = std::ranges::find(counter_watches_, self, &CounterWatch::core);
  const int met_by = own->met_by;
  counter_watches_.erase(own);
  return met_by;
}

void Waiters::released(int core_of_lock, const Cause& cause) {
  int first = -1;
  Picoseconds earliest = 0;
  for (const int core : watchers_[static_cast<std::size_t>(core_of_lock)]) {
    const Watch& watch = watches_[static_cast<std::size_t>(core)];
    if (!watch.on_lock || !kernel_.blocked(core)) continue;
    const Picoseconds look = watch.end(cause.at) - watch.finish + watch.sample;
    if (first < 0 || look < earliest || (look == earliest && core < first)) first = core, earliest = look;
  }
  if (first >= 0) wake(first, cause);
}

void Waiters::counted(int counter) {
  const std::uint32_t word = words_.counters[static_cast<std::size_t>(counter)];
  for (CounterWatch& watch : counter_watches_)
    if (watch.counter == counter && watch.value == word && kernel_.blocked(watch.core)) {
      watch.met_by = kernel_.current();
      causes_[static_cast<std::size_t>(watch.core)] = {Cause::Kind::counter, watch.met_by, kernel_.now()};
      kernel_.wake(watch.core, kernel_.now());
    }
}

bool Waiters::interrupt(int core, Picoseconds at) {
  if (!kernel_.blocked(core)) return false;
  causes_[static_cast<std::size_t>(core)] = {Cause::Kind::interrupt, core, at};
  kernel_.interrupt(core, at);
  return true;
}

} // namespace mesh::scc
