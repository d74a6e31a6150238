// SPDX-License-Identifier: Apache-2.0
// SIGALRM of a UE: alarm(), ualarm() and setitimer(ITIMER_REAL).
#pragma once

#include <cstdint>

#include "mesh_sim/units.hpp"

namespace rcce {
class Job;
struct Ue;
} // namespace rcce

namespace rcce::libc {

inline constexpr mesh::Picoseconds picoseconds_per_second = 1'000'000'000'000;
/// A run never comes near the longest time that the clock can tell; neither may an absurd request.
inline constexpr std::int64_t longest_seconds = 1'000'000;

/// Where the UE's clock has come to its alarm: does what SIGALRM does to it, and may not return. Returns
/// whether a handler has run. On the UE's context, outside anything that is half done.
bool ring_alarm(Ue& ue);
/// The same from within a call of the library, which the handler may call itself.
void ring_alarm_in_call(Ue& ue);

/// Takes UEs whose alarm is due by `time` out of their waits, by Engine::interrupt_wait(). Returns when the
/// first of them goes on, or `time`; `next`: the first alarm that is due later, of those that wait.
mesh::Picoseconds ring_sleepers(Job& job, mesh::Picoseconds time, mesh::Picoseconds& next);

} // namespace rcce::libc
