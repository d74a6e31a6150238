// SPDX-License-Identifier: Apache-2.0
#include "engine/mpi/core.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/clock.hpp"

namespace rcce::mpi {

template <class Met>
void MpiCore::wait_until(BlockedCore blocked, Met&& met) {
  calls_ = 0;
  if (met()) return;
  blocked.core = id_;
  recent_ = std::max(recent_, (host::nanoseconds(CLOCK_MONOTONIC_COARSE) - origin_) * 1000);
  for (unsigned looks = 1;; ++looks) {
    if (met()) return watch_.goes_on();
    constexpr unsigned between = 64; // a look takes less time than to ask whether to go on looking
    if (looks % between == 0 && watch_.waits(blocked)) exit();
    fabric_.pause(looks);
  }
}

Picoseconds MpiCore::now() const noexcept {
  return (host::nanoseconds() - origin_) * 1000;
}

/// In steps, so that others' accesses come through and a run that is being stopped need not wait.
void MpiCore::sleep_until(Picoseconds time) {
  constexpr std::int64_t longest_step_ns = 1'000'000;
  for (;;) {
    if (watch_.stopped()) exit();
    fabric_.progress();
    const std::int64_t left = (time - now()) / 1000;
    if (left <= 0) return;
    const timespec step{0, static_cast<long>(std::min(left, longest_step_ns))};
    syscall(SYS_nanosleep, &step, nullptr);
  }
}

/// A program that calls again and again without ever waiting looks for something that others have to do.
void MpiCore::schedule() {
  constexpr unsigned patience = 64;
  if (watch_.stopped()) exit();
  if (++calls_ < patience) return;
  calls_ = 0;
  fabric_.give_way();
}

void MpiCore::spin(unsigned) {
  if (watch_.stopped()) exit();
  fabric_.give_way();
}

std::size_t MpiCore::wait_any(int source, std::span<const PollTarget> looks, Cycles) {
  for (const PollTarget& look : looks) costs_.check(source, look.offset, look.condition.bytes);
  BlockedCore blocked;
  blocked.waits_on_core = source;
  blocked.offset = looks.front().offset;
  blocked.condition = looks.front().condition;
  std::size_t found = 0;
  wait_until(blocked, [&] { return (found = fabric_.first_met(source, looks)) < looks.size(); });
  return found;
}

bool MpiCore::lock_try(int core) {
  costs_.check(core, 0, 0);
  if (watch_.stopped()) exit();
  if (fabric_.lock_try(core)) return true;
  fabric_.give_way();
  return false;
}

void MpiCore::lock_acquire(int core) {
  costs_.check(core, 0, 0);
  BlockedCore blocked;
  blocked.waits_on_core = core;
  blocked.on_lock = true;
  blocked.condition.bytes = 0;
  wait_until(blocked, [&] { return fabric_.lock_try(core); });
}

void MpiCore::lock_release(int core) {
  costs_.check(core, 0, 0);
  fabric_.unlock(core);
}

void MpiCore::counter_wait(int counter, std::uint32_t value, Backoff) {
  BlockedCore blocked;
  blocked.counter = counter;
  blocked.condition.bytes = 0;
  blocked.condition.value = value;
  wait_until(blocked, [&] { return fabric_.counter(counter) == value; });
}

void MpiCore::live(std::span<std::byte> stack, std::function<void()> body) {
  stack_ = std::make_unique<mesh::OwnStack>(stack);
  stack_->run(std::move(body));
}

void MpiCore::exit() {
  stack_->leave();
}

} // namespace rcce::mpi
