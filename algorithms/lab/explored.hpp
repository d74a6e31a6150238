// SPDX-License-Identifier: Apache-2.0
// An algorithm in shared memory of the user's, under every interleaving of a few threads.
#pragma once

#include "lab/check.hpp"
#include "lab/point.hpp"

namespace lab {

/// Explores the point's algorithm, which is the user's, by 2 and 3 threads that call it twice, within 200,000
/// states and 20 s of host time. The verdict is the fault with the schedule that shows it, or whether all
/// interleavings have passed; nothing where the point asks for other values than the parameters' defaults.
/// It does not depend on the machine, so a second call costs nothing. Call it while no other thread runs.
[[nodiscard]] Verdict explored(const Point& point);

} // namespace lab
