// SPDX-License-Identifier: Apache-2.0
// The table that `auto` of programs decides by (algorithms/tuned), out of what rccebench tune has measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab.hpp"

namespace rccebench {

/// The rows that algorithms/tuned/compile.cmake reads: for each number of cores the sizes from which on
/// another choice is the fastest, in the middle, by ratio, of two that were measured. A choice counts as
/// fastest within 1 %. A size has one row, and further ones where the first needs what a program may lack: a
/// mesh, tagged flags, one number of ranks.
///
/// `timings`: of `points`; without one a point takes no part.
/// `bisect`: more sizes are measured by so many jobs, one in the middle of sizes that are more than twice
/// each other, and by bisection until choices change places between sizes that are at most so many percent
/// apart; 0: none.
[[nodiscard]] std::string table_of_auto(std::vector<Point> points, std::vector<std::optional<Result>> timings,
                                        int bisect, unsigned jobs);

} // namespace rccebench
