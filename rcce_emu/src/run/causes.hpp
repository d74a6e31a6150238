// SPDX-License-Identifier: Apache-2.0
// Why a run does not go on: cycles of ranks that wait for each other, messages of two sizes, barriers that
// somebody has not come to, peers that have ended.
#pragma once

#include <string>

#include "run/report.hpp"

namespace rcce::run {

/// A line for each cause that can be seen, of each kind the first few; "" where there is none.
[[nodiscard]] std::string causes_text(const RunView& run);

} // namespace rcce::run
