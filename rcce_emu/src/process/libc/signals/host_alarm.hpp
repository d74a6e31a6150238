// SPDX-License-Identifier: Apache-2.0
// Timers of a UE in the host's time: on the threads engine, and on processes.
#pragma once

#include "mesh_sim/units.hpp"

namespace rcce {
struct Ue;
}
namespace rcce::process {
struct Timer;
}

namespace rcce::libc {

/// Sets a timer of the calling UE, at `place` among its timers, to go off after so many picoseconds and then
/// after `timer.period` each; 0: stops it.
void set_host_alarm(process::Timer& timer, int place, mesh::Picoseconds after);
/// Picoseconds until it goes off; 0: it is off.
[[nodiscard]] mesh::Picoseconds host_alarm(const process::Timer& timer);
/// Handlers of the UE's own signals that have been called so far.
[[nodiscard]] unsigned own_handlers_run(const Ue& ue) noexcept;

} // namespace rcce::libc
