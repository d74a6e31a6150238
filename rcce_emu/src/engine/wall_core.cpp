// SPDX-License-Identifier: Apache-2.0
#include "engine/wall_core.hpp"

namespace rcce {

/// In steps, so that a run that is being stopped need not wait for sleepers.
void WallCore::sleep_until(Picoseconds time) {
  constexpr std::int64_t longest_step_ns = 50'000'000;
  do stop_point();
  while (sleep_a_step(time, longest_step_ns));
}

void WallCore::spin(unsigned) {
  stop_point();
  fabric_.waiting().look_everywhere();
  fabric_.waiting().give_way();
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

} // namespace rcce
