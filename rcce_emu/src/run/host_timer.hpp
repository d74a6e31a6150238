// SPDX-License-Identifier: Apache-2.0
// Timers of the host that interrupt one thread by a signal, the tick.
#pragma once

#include <cstdint>
#include <ctime>
#include <sys/types.h>

namespace rcce::run {

inline constexpr std::int64_t second = 1'000'000'000; ///< in nanoseconds of host time

[[nodiscard]] int tick_signal() noexcept;
/// Of that clock, or where the host has it not for timers, of CLOCK_MONOTONIC. Deleted by timer_delete.
[[nodiscard]] timer_t make_timer(clockid_t clock, pid_t thread);
/// The first tick after so many nanoseconds, the next ones after `period` each; 0: none.
void set_timer(timer_t timer, std::int64_t nanoseconds, std::int64_t period) noexcept;

} // namespace rcce::run
