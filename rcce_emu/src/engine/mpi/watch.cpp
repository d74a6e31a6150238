// SPDX-License-Identifier: Apache-2.0
#include "engine/mpi/watch.hpp"

namespace rcce::mpi {
namespace {

/// `core` as blocked on something that is no word.
BlockedCore blocked_core(int core) {
  BlockedCore blocked;
  blocked.core = core;
  blocked.condition.bytes = 0;
  return blocked;
}

} // namespace

template <class Met>
bool Watch::wait_until(const BlockedCore& blocked, Met&& met) {
  for (unsigned looks = 1;; ++looks) {
    if (met()) {
      goes_on();
      return true;
    }
    constexpr unsigned between = 64; // a look takes less time than to ask whether to go on looking
    if (looks % between == 0 && waits(blocked)) return false;
    fabric_.pause(looks);
  }
}

std::size_t Watch::wait_for_any(int core, int source, std::span<const PollTarget> looks) {
  BlockedCore blocked = blocked_core(core);
  blocked.waits_on_core = source;
  blocked.offset = looks.front().offset;
  blocked.condition = looks.front().condition;
  std::size_t found = looks.size();
  (void)wait_until(blocked, [&] { return (found = fabric_.first_met(source, looks)) < looks.size(); });
  return found;
}

bool Watch::lock(int core, int register_of) {
  BlockedCore blocked = blocked_core(core);
  blocked.waits_on_core = register_of;
  blocked.on_lock = true;
  return wait_until(blocked, [&] { return fabric_.lock_try(register_of); });
}

bool Watch::wait_counter(int core, int number, std::uint32_t value) {
  BlockedCore blocked = blocked_core(core);
  blocked.counter = number;
  blocked.condition.value = value;
  return wait_until(blocked, [&] { return fabric_.counter(number) == value; });
}

bool Watch::wait_for_departures(int core) {
  BlockedCore blocked = blocked_core(core);
  blocked.waits_on_core = core;
  return wait_until(blocked, [&] { return static_cast<int>(fabric_.departures()) == fabric_.processes(); });
}

} // namespace rcce::mpi
