// SPDX-License-Identifier: Apache-2.0
// Actions and situations of explored threads in words.
#pragma once

#include "explore/run.hpp"

namespace algorithms::explore {

/// The action with its result: "compare_exchange word 0: 0 -> 65537".
[[nodiscard]] std::string action_text(const Action& action, std::uint64_t given);
/// Why a thread that is not ready is not: "waits for word 3, which is 0".
[[nodiscard]] std::string waiting_text(const State& state, int thread, const Action& action);
/// Describes a deadlock; `next` gives each thread's next action.
[[nodiscard]] std::string deadlock_text(const State& state, const std::function<const Action&(int)>& next);

/// Describes two threads that are about to touch the same bytes, one writing; empty if there are none.
[[nodiscard]] std::string race_text(int threads, const std::function<const Action&(int)>& next);

} // namespace algorithms::explore
