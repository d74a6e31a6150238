// SPDX-License-Identifier: Apache-2.0
// rccerun --memory-profile: a run with --compute cache writes what the program's loads and stores take beside
// its own cycles, on average over all UEs; runs with --compute blocks charge that.
#pragma once

#include "front/launcher/options.hpp"
#include "rcce_emu/job_result.hpp"

namespace rcce {

/// Reads the file where the run charges what it says. Throws UserError where it cannot be read or, of a run
/// that is to write it, be written, and where the run does neither.
void take_memory_profile(LaunchOptions& options);

/// Writes the file where the run was to. Throws UserError.
void write_memory_profile(const LaunchOptions& options, const JobResult& result);

} // namespace rcce
