// SPDX-License-Identifier: Apache-2.0
// The host's clocks, also where the caller is a UE, to whom the C library's functions tell simulated time.
#pragma once

#include <cstdint>
#include <ctime>

namespace rcce::host {

/// Nanoseconds of the host's monotonic clock, or of another one.
[[nodiscard]] std::int64_t nanoseconds(clockid_t clock = CLOCK_MONOTONIC) noexcept;
/// Sleeps for less than a second, or until a signal.
void sleep(std::int64_t nanoseconds) noexcept;

} // namespace rcce::host
