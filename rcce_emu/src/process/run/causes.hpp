// SPDX-License-Identifier: Apache-2.0
// Why a run does not go on: cycles of ranks that wait for each other, messages of two sizes, barriers that
// somebody has not come to, peers that have ended.
#pragma once

#include <string>
#include <vector>

#include "process/run/report.hpp"

namespace rcce::run {

/// The same with whom its barriers miss, which the functions below go by.
[[nodiscard]] RunView with_missing(RunView run);
/// Whom a waiting UE waits for; -1 where that is nobody in particular.
[[nodiscard]] int waits_for(const UeView& ue);
/// The cycles of UEs that wait for each other, each begun at its lowest rank.
[[nodiscard]] std::vector<std::vector<int>> cycles(const RunView& run);

/// A line for each cause that can be seen, of each kind the first few; "" where there is none.
[[nodiscard]] std::string causes_text(const RunView& run);

} // namespace rcce::run
