// SPDX-License-Identifier: Apache-2.0
// Actions and situations of explored threads in words.
#pragma once

#include "explore/run.hpp"

namespace algorithms::explore {

/// What was done and what it gave: "compare_exchange word 0: 0 -> 65537".
[[nodiscard]] std::string action_text(const Action& action, std::uint64_t given);
/// Why a thread that is not ready is not: "waits for word 3, which is 0".
[[nodiscard]] std::string waiting_text(const State& state, int thread, const Action& action);
/// Of a situation in which nobody can go on; `next` says what each thread would do.
[[nodiscard]] std::string deadlock_text(const State& state, const std::function<const Action&(int)>& next);

/// Of two threads that are about to touch the same bytes, one writing; empty where there are none.
[[nodiscard]] std::string race_text(int threads, const std::function<const Action&(int)>& next);

} // namespace algorithms::explore
