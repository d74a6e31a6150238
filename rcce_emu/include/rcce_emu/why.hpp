// SPDX-License-Identifier: Apache-2.0
// Why a run takes as long as it does: its critical path in words and as JSON, and what the run would take if
// something were different, found by running the program again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rcce_emu/job.hpp"

namespace rcce {

/// The same program again with one thing changed.
struct Alternative {
  std::string name;     ///< "no contention"
  std::string how;      ///< "--contention off"; empty: no option does it
  std::string obstacle; ///< why there is no such run; then the options say nothing
  JobOptions options;
};
/// No contention, prefetching copies, a mesh at twice the clock, barriers that cost nothing, the collectives
/// that `auto` chooses: in this order. Nothing is recorded in their runs. Where the host's clock is in, two
/// runs differ by chance, and there are none.
[[nodiscard]] std::vector<Alternative> alternatives(const JobOptions& job);

/// What has come of one.
struct WhatIf {
  std::string name, how;
  std::string obstacle;           ///< why `end` is missing
  std::optional<Picoseconds> end; ///< of the run
};

/// Runs each in a process of its own, one after the other, whose output nobody sees and whose standard input
/// is that of this process, from its present place on. A program that reads it where it cannot be read again
/// (a pipe, a terminal) has no such run. Before any other run of this process.
[[nodiscard]] std::vector<WhatIf> run_alternatives(const JobOptions& job);

/// For people: a line for each kind of time and one for all below 1 %, one for the cores, one for the next
/// best chain, one for each of the other runs. Of a run that has not come to its end: the path that led
/// there, and who waits for whom, the last to begin first.
[[nodiscard]] std::string why_text(const JobResult& result, const std::vector<WhatIf>& what_ifs);
/// One object; times in picoseconds.
[[nodiscard]] std::string why_json(const JobResult& result, const std::vector<WhatIf>& what_ifs);

} // namespace rcce
