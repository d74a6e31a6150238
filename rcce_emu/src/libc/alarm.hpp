// SIGALRM by a UE's own clock: alarm(), ualarm() and setitimer(ITIMER_REAL) in simulated time.
#pragma once

#include <cstdint>

#include "mesh_sim/units.hpp"

namespace rcce {
struct Ue;
}

namespace rcce::libc {

inline constexpr mesh::Picoseconds picoseconds_per_second = 1'000'000'000'000;
/// A run never comes near the longest time that the clock can tell; neither may an absurd request.
inline constexpr std::int64_t longest_seconds = 1'000'000;

/// Where the UE's clock has come to its alarm: does what SIGALRM does to it, and may not return. Returns
/// whether a handler has run. On the UE's context, outside anything that is half done.
bool ring_alarm(Ue& ue);

} // namespace rcce::libc
