// SPDX-License-Identifier: Apache-2.0
// SIGALRM of a UE in the host's time, on the threads engine.
#pragma once

#include <sys/time.h>

namespace rcce {
struct Ue;
}

namespace rcce::libc {

/// Sets the calling UE's alarm; returns what was left of the one before.
itimerval set_host_alarm(Ue& ue, const itimerval& value);
/// What is left until the alarm, and how often it comes.
[[nodiscard]] itimerval host_alarm(const Ue& ue);
/// Alarms of the UE that have called a handler so far.
[[nodiscard]] unsigned alarms_handled(const Ue& ue) noexcept;

} // namespace rcce::libc
