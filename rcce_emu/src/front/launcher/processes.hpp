// SPDX-License-Identifier: Apache-2.0
// How rccerun starts the processes of --engine mpi: by the launcher of the MPI library, once for all.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "front/launcher/options.hpp"

namespace rcce {

/// True if this process still has to become the launcher of the job.
[[nodiscard]] bool needs_processes(const LaunchOptions& options);

/// The launcher's command for `ues` processes that run `self` with `words`; empty where there is no launcher.
/// Sets what launchers read in the environment: more processes than processors are allowed, and Open MPI
/// keeps to itself that a process has failed, of which the runtime tells.
[[nodiscard]] std::vector<std::string> launcher_command(const LaunchOptions& options, int ues,
                                                        const std::string& self,
                                                        std::span<const std::string> words);

/// Runs it and hands signals on to it. Returns its status, 128 + n after signal n to it or to this process.
/// Throws UserError where it cannot be started.
[[nodiscard]] int run_launcher(const std::vector<std::string>& command);

} // namespace rcce
