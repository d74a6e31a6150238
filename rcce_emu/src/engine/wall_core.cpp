// SPDX-License-Identifier: Apache-2.0
#include "engine/wall_core.hpp"

#include <algorithm>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/host/clock.hpp"

namespace rcce {

Picoseconds WallCore::now() const noexcept {
  return (host::nanoseconds() - origin_) * 1000;
}

/// The coarse clock takes a fifth of the time, and is behind by some milliseconds at most.
void WallCore::note_time() noexcept {
  recent_ = std::max(recent_, (host::nanoseconds(CLOCK_MONOTONIC_COARSE) - origin_) * 1000);
}

/// In steps, so that a run that is being stopped need not wait for sleepers.
void WallCore::sleep_until(Picoseconds time) {
  constexpr std::int64_t longest_step_ns = 50'000'000;
  for (;;) {
    stop_point();
    const std::int64_t left = (time - now()) / 1000;
    if (left <= 0) return;
    const timespec step{0, static_cast<long>(std::min(left, longest_step_ns))};
    syscall(SYS_nanosleep, &step, nullptr);
  }
}

void WallCore::spin(unsigned) {
  stop_point();
  fabric_.waiting().look_everywhere();
  fabric_.waiting().give_way();
}

void WallCore::update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) {
  costs_.check(target, offset, 1);
  fabric_.update(target, offset, mask, value);
}

bool WallCore::lock_try(int core) {
  costs_.check(core, 0, 0);
  stop_point();
  if (fabric_.lock_try(core)) return true;
  fabric_.waiting().give_way();
  return false;
}

void WallCore::lock_acquire(int core) {
  costs_.check(core, 0, 0);
  if (fabric_.lock_try(core)) return;
  note_time();
  if (!fabric_.lock(id_, core)) exit();
}

std::uint32_t WallCore::counter_increment(int counter) {
  return fabric_.change_counter(counter, [](auto& word) { return word.fetch_add(1); });
}

void WallCore::counter_write(int counter, std::uint32_t value) {
  fabric_.change_counter(counter, [value](auto& word) { return word.exchange(value); });
}

void WallCore::counter_wait(int counter, std::uint32_t value, Backoff) {
  note_time();
  if (!fabric_.wait_counter(id_, counter, value)) exit();
}

void WallCore::lock_release(int core) {
  costs_.check(core, 0, 0);
  fabric_.unlock(core);
}

} // namespace rcce
