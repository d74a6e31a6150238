// SPDX-License-Identifier: Apache-2.0
// An algorithm in shared memory of the user's, under every interleaving of a few threads.
#pragma once

#include <string>

#include "lab/check.hpp"

namespace lab {

/// Explores the user's algorithm of that name, by 2 and 3 threads that call it twice, within 200,000 states
/// and 20 s of host time. The verdict is the fault with the schedule that shows it, or whether all
/// interleavings have passed. It does not depend on the machine, so a second call costs nothing. Call it
/// while no other thread runs.
[[nodiscard]] Verdict explored(const std::string& algorithm);

} // namespace lab
