// SPDX-License-Identifier: Apache-2.0
// The timers of a UE: alarm(), ualarm(), setitimer() (alarm.cpp), timer_create() and its kind (timers.cpp).
#pragma once

#include <cstdint>
#include <ctime>

#include "mesh_sim/units.hpp"

namespace rcce {
class Job;
struct Ue;
} // namespace rcce
namespace rcce::process {
struct Timer;
struct Timers;
} // namespace rcce::process

namespace rcce::libc {

inline constexpr mesh::Picoseconds picoseconds_per_second = 1'000'000'000'000;
inline constexpr mesh::Picoseconds picoseconds_per_nanosecond = 1000;
/// A run never comes near the longest time that the clock can tell; neither may an absurd request.
inline constexpr std::int64_t longest_seconds = 1'000'000;

/// The seconds that a clock of that name shows at the start of a run.
[[nodiscard]] std::int64_t start_of_run(clockid_t clock) noexcept;

/// The UE's, made at its first use.
[[nodiscard]] process::Timers& timers_of(Ue& ue);

/// How a timer is set.
struct TimerSetting {
  mesh::Picoseconds left = 0;   ///< until it goes off; 0: it is off
  mesh::Picoseconds period = 0; ///< then after so much each; 0: once
};
[[nodiscard]] TimerSetting timer_setting(const Ue& ue, const process::Timer& timer);
/// Sets a timer of the calling UE, at `place` among its timers.
void set_timer_of(Ue& ue, std::size_t place, const TimerSetting& wanted);

/// Handles timers of the UE that its clock has reached: acts as their signals ask, and may not return.
/// Returns true if a handler has run. Called on the UE's context, outside anything that is half done.
bool ring_alarm(Ue& ue);
/// The same from within a call of the library, which the handler may call itself.
void ring_alarm_in_call(Ue& ue);

/// Timers by which no UE has gone on, while all wait: a handler that does nothing must not hide a deadlock.
struct VainTimers {
  mesh::Picoseconds calls = -1; ///< sum of the beginnings of the calls in which UEs wait
  unsigned handlers = 0;        ///< handlers run before the first of them
  mesh::Picoseconds since = 0;
};

/// Takes UEs whose timers are due by `time` out of their waits, by Engine::interrupt_wait(). Returns when the
/// first of them goes on, or `time`; `next`: the first timer that is due later, of those that wait.
mesh::Picoseconds ring_sleepers(Job& job, mesh::Picoseconds time, mesh::Picoseconds& next, VainTimers& vain);

/// While all UEs, which are threads, sleep: takes the one whose timer is first out of its wait, or leaves
/// that to the host's timers. False where none can go on.
bool ring_at_standstill(Job& job, VainTimers& vain);

} // namespace rcce::libc
