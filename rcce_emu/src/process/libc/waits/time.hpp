// SPDX-License-Identifier: Apache-2.0
// Loops that wait for an instant.
#pragma once

namespace rcce {
struct Ue;
}

namespace rcce::libc {

/// The program asks for the time, and its clock stands where it will be told. A loop that does nothing but
/// wait for an instant, by the compiler's word (rockcreek_image::waits_until), is led on by whole rounds: to
/// one before that instant, or to its alarm. `unit`: picoseconds in one of what the call tells; `begin`: what
/// it tells at the start of the run.
void lead_on_clock_polls(Ue& ue, double unit, double begin = 0);

} // namespace rcce::libc
