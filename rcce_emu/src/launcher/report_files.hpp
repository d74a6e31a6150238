// SPDX-License-Identifier: Apache-2.0
// Files that a job's results are written to: by whom, when, and in which format.
#pragma once

#include <vector>

#include "launcher/options.hpp"
#include "rcce_emu/why.hpp"

namespace rcce {

/// Before the run. Throws UserError for a file that is there already, unless it may be overwritten, and where
/// none can be written.
void check_report_files(const LaunchOptions& options);

/// Before the run: the descriptor that the trace is to be written to, -1 where none is wanted. Where it is
/// standard output, the program's goes to standard error from now on. Throws UserError.
[[nodiscard]] int open_trace(const LaunchOptions& options);
/// The job has not been started: removes the file if there is nothing in it.
void drop_empty_trace(const LaunchOptions& options);

/// Before the run: where the HTML report is standard output, the program's goes to standard error from now
/// on, and this is the descriptor for the report; else -1. Throws UserError.
[[nodiscard]] int open_report(const LaunchOptions& options);
/// After the run. `fd` as open_report() has given it, `command` as for report_document(). Throws UserError.
void write_report(const LaunchOptions& options, const JobResult& result, int fd, const std::string& command);

/// After the run: writes statistics, matrix, links, profile and critical path where the options want them;
/// those of them that need no file without one to standard error. Throws UserError where a file cannot be
/// written.
void write_reports(const LaunchOptions& options, const JobResult& result,
                   const std::vector<WhatIf>& what_ifs);

} // namespace rcce
