// SPDX-License-Identifier: Apache-2.0
// A command's measurements on each of the machines that --set asks for, as one report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "command_line/common_options.hpp"
#include "present/report.hpp"

namespace rccebench {

/// Exit status of a command: 0; 1 when a check that was asked for failed; 128 + n after signal n.
using Status = int;

struct Outcome {
  Report report;
  Status status = 0;
};

/// The options once for every combination of the values that --set lists, each with one value of each. Throws
/// mesh::UserError where one of them makes a machine that cannot be, before anything is run.
[[nodiscard]] std::vector<CommonOptions> each_machine(const CommonOptions& options);

/// The line "set" in the head of several: the values of each, or the machines.
[[nodiscard]] std::string text_of_set(const std::vector<CommonOptions>& machines);

/// One report of all: rows say which machine they are of, and so do the titles of views, the notes and the
/// members of the summary. A single outcome stays as it is.
[[nodiscard]] Outcome joined(std::vector<std::pair<CommonOptions, Outcome>> outcomes);

/// Writes report, statistics and stored results where the options want them; returns the command's status.
/// Throws Unfinished where files are merged and a point is missing.
[[nodiscard]] Status written(const Outcome& outcome, const CommonOptions& options);

/// Runs measure(options) on each machine, and writes the joined report. Ends early after Ctrl-C. Throws
/// Unfinished after the last machine where one has.
template <class Options>
[[nodiscard]] Status on_each_machine(const Options& options, Outcome (*measure)(const Options&)) {
  std::vector<std::pair<CommonOptions, Outcome>> outcomes;
  bool unfinished = false;
  for (const CommonOptions& common : each_machine(options.common)) {
    Options one = options;
    one.common = common;
    try {
      outcomes.emplace_back(common, measure(one));
      if (outcomes.back().second.status > 1) break;
    } catch (const Unfinished&) { // of a shard: the points of the other machines are computed, too
      if (interrupted_status() != 0) throw;
      unfinished = true;
    }
  }
  if (unfinished) throw Unfinished();
  return written(joined(std::move(outcomes)), options.common);
}

} // namespace rccebench
