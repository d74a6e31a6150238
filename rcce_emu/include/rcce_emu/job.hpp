// SPDX-License-Identifier: Apache-2.0
// A job: one program on a number of UEs of one machine. rccerun, a directly started program and the benchmark
// programs all run jobs through this interface; several jobs may run in one process, one thread each.
#pragma once

#include "rcce_emu/job_options.hpp"
#include "rcce_emu/job_result.hpp"

namespace rcce {

/// Runs a job to its end. Throws UserError for mistakes that the user can correct (no such file, not an
/// image, core out of range).
[[nodiscard]] JobResult run_job(const JobOptions& options);

} // namespace rcce
