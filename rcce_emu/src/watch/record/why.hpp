// SPDX-License-Identifier: Apache-2.0
// Why a run takes as long as it does: its critical path in words and as JSON, and what the run would take if
// something were different, found by running the program again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mesh_sim/observe/critical_path.hpp"
#include "rcce_emu/job_options.hpp"
#include "rcce_emu/job_result.hpp"

namespace rcce::record {

/// The result of the same program with one thing changed.
struct WhatIf {
  std::string name;               ///< "no contention"
  std::string how;                ///< "--contention off"; empty: no option does it
  std::string obstacle;           ///< why `end` is missing
  std::optional<Picoseconds> end; ///< end of the run, or of its recorded part
  Picoseconds preparation = 0;    ///< ... of which so much is made once only, however long the run is
};

using RunJob = JobResult (*)(const JobOptions&);

/// Runs the alternatives one after the other. Where the process runs for the program alone each is a process
/// of its own, whose output nobody sees and whose standard input is that of this process, from its present
/// place on; a program that reads it where it cannot be read again (a pipe, a terminal) has no such run.
/// Before any other run of this process. Throws Interrupted. Where OutputOptions::sink takes the program's
/// output they run in this process.
[[nodiscard]] std::vector<WhatIf> run_alternatives(const JobOptions& job, RunJob run);

struct Why {
  const mesh::Path& path;
  const JobResult& run;
  const std::vector<WhatIf>& what_ifs;
  const std::vector<std::string>& functions; ///< by place of the path's own code
};

/// For people: a line for each kind of time and one for all below 1 %, one for the cores, one for the next
/// best chain, one for each of the other runs. Of a run that has not come to its end: the path that led
/// there, and who waits for whom, the last to begin first.
[[nodiscard]] std::string why_text(const Why& why);
/// One object; times in picoseconds.
[[nodiscard]] std::string why_json(const Why& why);

} // namespace rcce::record
