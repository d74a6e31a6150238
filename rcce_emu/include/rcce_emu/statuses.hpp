// SPDX-License-Identifier: Apache-2.0
// Statuses of a job, as run_job() returns them and rccerun ends with them. `rccerun --help` prints the table
// below; rccerun(1), EXIT STATUS, has the same ones.
#pragma once

#include <string_view>

namespace rcce {

inline constexpr int status_differ = 1;
inline constexpr int status_usage = 2;
inline constexpr int status_output_failed = 74; ///< EX_IOERR of sysexits.h
inline constexpr int status_deadlock = 121;
inline constexpr int status_timeout = 124;
inline constexpr int status_findings = 125;
inline constexpr int status_not_executable = 126;
inline constexpr int status_not_found = 127;
/// + n after signal n: 134 is abort(), 139 a segmentation fault, 141 a closed pipe.
inline constexpr int status_signal = 128;

inline constexpr std::string_view status_table[][2] = {
    {"0", "every UE ended with status 0; with --explore: all runs agree"},
    {"n", "the status of the lowest rank whose own was not 0"},
    {"1", "with --explore: two runs differ"},
    {"2",
     "the job could not be started: wrong options, host file, machine or program; or --replay\n"
     "       names an order that did not occur"},
    {"74", "standard output or standard error could not be written"},
    {"121",
     "deadlock: some UEs had not ended, and none of them could ever go on; with --explore: in one of "
     "the runs"},
    {"124", "the limit of --timeout was reached"},
    {"125", "--check has findings, and the status would else have been 0"},
    {"126", "the program is not executable"},
    {"127", "there is no such program"},
    {"128+n", "signal n ended the job, 139 for a segmentation fault"},
};

} // namespace rcce
