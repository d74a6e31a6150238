// SPDX-License-Identifier: Apache-2.0
// Output, crashes and time limit of a job while it runs, tied to its engine.
#pragma once

#include <memory>

namespace rcce {

class Job;

/// Made by run_job() before the first UE starts, destroyed after the last.
struct JobGuard {
  virtual ~JobGuard() = default;
  /// Writes out what is still held back, unfinished lines included. After the run.
  virtual void finish() = 0;
};
[[nodiscard]] std::unique_ptr<JobGuard> guard_job(Job& job);

} // namespace rcce
