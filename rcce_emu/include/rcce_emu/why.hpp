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
/// No contention, prefetching copies, a mesh at twice the clock, barriers that cost nothing, the fastest
/// collectives: in this order. Nothing is recorded in their runs.
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

/// For people, in ten lines: one for each of the longest kinds of time and one for all others, one for the
/// cores, one for the next best chain, one for each of the other runs.
[[nodiscard]] std::string why_text(const JobResult& result, const std::vector<WhatIf>& what_ifs);
/// One object; times in picoseconds.
[[nodiscard]] std::string why_json(const JobResult& result, const std::vector<WhatIf>& what_ifs);

} // namespace rcce
