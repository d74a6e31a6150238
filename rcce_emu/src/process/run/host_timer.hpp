// SPDX-License-Identifier: Apache-2.0
// Timers of the host that interrupt one thread by a signal: the ticks of the watchdog, and those of a UE in
// the host's time.
#pragma once

#include <cstdint>
#include <ctime>
#include <sys/types.h>

namespace rcce::run {

inline constexpr std::int64_t second = 1'000'000'000; ///< in nanoseconds of host time

[[nodiscard]] int tick_signal() noexcept;
/// Makes a timer of that clock, or of CLOCK_MONOTONIC if the host has no timers of it. `signal`: 0 for none;
/// `value` comes with it. Deleted by delete_timer.
[[nodiscard]] timer_t make_timer(clockid_t clock, pid_t thread, int signal = tick_signal(), int value = 0);
/// The first signal after so many nanoseconds, the next ones after `period` each; 0: none.
void set_timer(timer_t timer, std::int64_t nanoseconds, std::int64_t period) noexcept;
void stop_timer(timer_t timer) noexcept;
/// Until its next signal; 0: it is off.
[[nodiscard]] std::int64_t nanoseconds_left(timer_t timer) noexcept;
void delete_timer(timer_t timer) noexcept;

} // namespace rcce::run
