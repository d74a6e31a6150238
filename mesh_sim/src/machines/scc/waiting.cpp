// The simulated SCC's sleepers: who waits for what, who wakes them and why.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "mesh_sim/machines/scc/machine.hpp"

namespace mesh {

bool SccMachine::met(int target, std::size_t offset, const Condition& condition, Picoseconds at) noexcept {
  settle(target, offset, condition.bytes, false, at);
  const std::byte* place = mpbs_.data() + static_cast<std::size_t>(target) * mpb_bytes_ + offset;
  if (condition.bytes == 1) return condition.holds(static_cast<std::uint32_t>(*place));
  std::uint32_t word = 0;
  std::memcpy(&word, place, condition.bytes);
  return condition.holds(word);
}

bool SccMachine::met(const Watch& watch, Picoseconds at) noexcept {
  if (watch.on_lock) return locks_[static_cast<std::size_t>(watch.target)] == 0;
  if (watch.looks.empty()) return met(watch.target, watch.offset, watch.condition, at);
  return std::ranges::any_of(
      watch.looks, [&](const Look& look) { return met(watch.target, look.offset, look.condition, at); });
}

/// Wakes a core whose wish can be seen from `at` on: a simple loop when it goes on after the look that sees
/// it; a loop of several looks at once, since another of its wishes may come true before the look that is due
/// for this one.
void SccMachine::wake_watcher(int core, const Cause& cause) {
  const auto i = static_cast<std::size_t>(core);
  causes_[i] = cause;
  kernel_.wake(core, watches_[i].looks.empty() ? watches_[i].end(cause.at) : cause.at);
}

/// Bytes of an MPB have become visible: wakes those whose condition they meet.
void SccMachine::written(int target, std::size_t offset, std::size_t bytes, const Cause& cause) {
  for (const int core : watchers_[static_cast<std::size_t>(target)]) {
    const Watch& watch = watches_[static_cast<std::size_t>(core)];
    const auto covers = [&](std::size_t watched, const Condition& condition) {
      return watched < offset + bytes && offset < watched + condition.bytes;
    };
    if (watch.on_lock || !kernel_.blocked(core)) continue;
    const bool touched = watch.looks.empty() ? covers(watch.offset, watch.condition)
                                             : std::ranges::any_of(watch.looks, [&](const Look& look) {
                                                 return covers(look.offset, look.condition);
                                               });
    if (touched && met(watch, cause.at)) wake_watcher(core, cause);
  }
}

/// Finds sleepers whose wish a plain store has met, which went past the machine.
bool SccMachine::recheck_watchers(Picoseconds at) {
  bool any = false;
  for (const auto& watchers : watchers_)
    for (const int core : watchers) {
      const Watch& watch = watches_[static_cast<std::size_t>(core)];
      if (!kernel_.blocked(core) || !met(watch, at)) continue;
      wake_watcher(core, {Cause::Kind::plain_store, -1, at});
      any = true;
    }
  return any;
}

void SccMachine::block_and_tell(Wait wait) {
  wait.core = kernel_.current();
  wait.begin = kernel_.now();
  observers_->tell(&Observer::wait_begins, Told::waits, wait);
  kernel_.block();
  wait.end = kernel_.now();
  wait.cause = causes_[static_cast<std::size_t>(wait.core)];
  observers_->tell(&Observer::wait_ends, Told::waits, wait);
}

void SccMachine::sleep_on(const Watch& watch) {
  const int self = kernel_.current();
  watches_[static_cast<std::size_t>(self)] = watch;
  std::vector<int>& watchers = watchers_[static_cast<std::size_t>(watch.target)];
  watchers.push_back(self);
  block_on([&] {
    return Wait{.on = watch.on_lock       ? Wait::On::lock
                    : watch.looks.empty() ? Wait::On::word
                                          : Wait::On::words,
                .target = watch.target,
                .offset = watch.looks.empty() ? watch.offset : watch.looks.front().offset};
  });
  watchers.erase(std::find(watchers.begin(), watchers.end(), self));
}

void SccMachine::wait(int source, std::size_t offset, Condition condition, Cycles overhead) {
  check(source, offset, condition.bytes);
  before();
  CoreState& core = active();
  const Passage way = passage(core, source);
  core.l1.invalidate_mpb();
  core.l1.read_mpb(offset, 1);
  kernel_.synchronise();
  const auto access = [&] {
    return Access{.kind = Access::Kind::wait,
                  .mask = condition.mask,
                  .target = source,
                  .offset = offset,
                  .bytes = condition.bytes};
  };
  const Picoseconds begin = issue(access);
  Watch watch;
  watch.target = source;
  watch.offset = offset;
  watch.condition = condition;
  static_cast<PollingLoop&>(watch) = flag_loop(core, way, overhead, kernel_.now());
  for (;;) {
    watch.start = kernel_.now();
    if (met(watch, kernel_.now())) {
      acts(access, kernel_.now());
      kernel_.advance(watch.period);
      break;
    }
    sleep_on(watch);
    if (met(watch, kernel_.now())) { // else it was taken back before this core looked
      acts(access, kernel_.now());
      break;
    }
  }
  ends(access, begin);
}

/// A loop over several words has come to its end by the one that it has `seen`.
void SccMachine::looks_act(int source, std::span<const Look> looks, std::size_t seen) {
  if (!acts_matter_) return;
  for (std::size_t i = 0; i < looks.size(); ++i)
    tell_acts({.kind = Access::Kind::look,
               .done = i == seen,
               .mask = looks[i].condition.mask,
               .target = source,
               .offset = looks[i].offset,
               .bytes = looks[i].condition.bytes},
              kernel_.now());
}

std::size_t SccMachine::wait_any(int source, std::span<const Look> looks, Cycles overhead) {
  if (looks.empty()) throw std::logic_error("SccMachine::wait_any: nothing to wait for");
  before();
  CoreState& core = active();
  const Passage way = passage(core, source);
  core.l1.invalidate_mpb();
  Picoseconds period = overhead * core.cycle;
  for (const Look& look : looks) {
    check(source, look.offset, look.condition.bytes);
    core.l1.read_mpb(look.offset, 1);
    period += look.overhead * core.cycle + way.read;
  }
  kernel_.synchronise();
  const auto access = [&] {
    return Access{
        .kind = Access::Kind::look, .target = source, .offset = looks.front().offset, .bytes = looks.size()};
  };
  const Picoseconds begin = issue(access);
  Watch watch;
  watch.target = source;
  watch.start = kernel_.now();
  watch.looks = looks;
  for (Picoseconds round = watch.start;;) {
    if (!met(watch, kernel_.now())) sleep_on(watch);
    // The look that is due, and those behind it, until one sees its wish. Looks that were due while the core
    // slept have seen nothing.
    round += (kernel_.now() - round) / period * period;
    Picoseconds at = round + overhead * core.cycle;
    for (std::size_t i = 0; i < looks.size(); ++i) {
      at += looks[i].overhead * core.cycle;
      if (at + way.one_way >= kernel_.now()) {
        kernel_.advance_to(at + way.one_way);
        kernel_.synchronise();
        if (met(source, looks[i].offset, looks[i].condition, kernel_.now())) {
          looks_act(source, looks, i);
          kernel_.advance_to(at + way.read);
          ends(access, begin);
          return i;
        }
      }
      at += way.read;
    }
    round = at;
    kernel_.advance_to(round);
    kernel_.synchronise();
  }
}

void SccMachine::spin(unsigned rounds) {
  if (intervention_ != nullptr) intervention_->spins(kernel_);
  kernel_.advance(me().dram_line * rounds);
  kernel_.synchronise();
  settle_all(kernel_.now()); // its loop looks at memory without asking
  recheck_watchers(kernel_.now());
}

bool SccMachine::interrupt(int core, Picoseconds at) {
  if (!kernel_.blocked(core)) return false;
  causes_[static_cast<std::size_t>(core)] = {Cause::Kind::interrupt, core, at};
  kernel_.interrupt(core, at);
  return true;
}

bool SccMachine::under_way() {
  settle_all(kernel_.now());
  return kernel_.delivers() || recheck_watchers(kernel_.now()) ||
      (intervention_ != nullptr && intervention_->last_call(kernel_));
}

} // namespace mesh
