// SPDX-License-Identifier: Apache-2.0
#include "engine/mpi/core.hpp"

namespace rcce::mpi {

/// In steps, so that others' accesses come through and a run that is being stopped need not wait.
void MpiCore::sleep_until(Picoseconds time) {
  constexpr std::int64_t longest_step_ns = 1'000'000;
  do {
    if (watch_.stopped()) exit();
    while (fabric_.progress()) {
    }
  } while (sleep_a_step(time, longest_step_ns));
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
  calls_ = 0;
  std::size_t found = fabric_.first_met(source, looks);
  if (found < looks.size()) return found;
  note_time();
  found = watch_.wait_for_any(id_, source, looks);
  if (found == looks.size()) exit();
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
  if (fabric_.lock_try(core)) return;
  note_time();
  if (!watch_.lock(id_, core)) exit();
}

void MpiCore::counter_wait(int counter, std::uint32_t value, Backoff) {
  note_time();
  if (!watch_.wait_counter(id_, counter, value)) exit();
}

} // namespace rcce::mpi
