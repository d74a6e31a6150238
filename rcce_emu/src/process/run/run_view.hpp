// SPDX-License-Identifier: Apache-2.0
// Gathers what reports tell (report.hpp) from a job while it stands still.
#pragma once

#include "process/run/report.hpp"

namespace rcce {
class Job;
struct Ue;
} // namespace rcce

namespace rcce::run {

/// From a core's context, from a hook of the engine or after the run.
[[nodiscard]] RunView view_run(Job& job);
[[nodiscard]] UeView view_ue(Ue& ue);
/// The same of a deadlock: those that are not at rest poll.
[[nodiscard]] RunView view_polling_run(Job& job);

/// Deadlock report: each blocked UE, the cycle, size mismatches. After Engine::run() returned `deadlock`.
/// From a UE's context where the others poll or are blocked.
[[nodiscard]] std::string deadlock_report(Job& job);
/// The same where that is a suspicion only.
[[nodiscard]] std::string suspicion_report(Job& job);
/// UEs that go on without coming any further, from the context of one of them.
[[nodiscard]] std::string livelock_report(Job& job);

} // namespace rcce::run
