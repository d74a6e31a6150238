// SPDX-License-Identifier: Apache-2.0
// Host time of the simulation kernel alone: fibers and events, without any machine model or RCCE.
#pragma once

#include <cstdint>

namespace rccebench {

/// Processor time that this process has used so far.
[[nodiscard]] double processor_nanoseconds();

/// Nanoseconds for one jump from a fiber to another, `fibers` of them in a ring.
[[nodiscard]] double switch_nanoseconds(int fibers, int rounds);

/// Nanoseconds per event: `cores` contexts each advance their clock by 1 to 200 cycles at random (fixed seed)
/// and then wait for their turn, so that nearly every event is a switch to another fiber.
[[nodiscard]] double event_nanoseconds(int cores, std::int64_t events);

} // namespace rccebench
