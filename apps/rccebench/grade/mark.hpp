// SPDX-License-Identifier: Apache-2.0
// One trial of a student's file: run, and what came of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "grade/exercise.hpp"
#include "lab.hpp"

namespace rccebench::grade {

/// Host time after which a trial counts as one that does not end. Deadlocks are known at once; this is for
/// programs that compute for ever.
inline constexpr double most_host_seconds = 60;

struct Mark {
  std::string fault;        ///< one line; empty: correct
  std::string report;       ///< report of the runtime, several lines
  std::optional<double> us; ///< simulated, until the last rank was done, in the fastest repetition
  bool endless = false;     ///< it was ended by its limit of host time
  bool skipped = false;     ///< not run, because another one was endless: most others would be
  std::uint64_t digest = 0; ///< digest of the run; 0 if there are several
};

/// Programs by the name that a trial has for them.
using Programs = std::map<std::string, std::filesystem::path>;

/// The mark of a trial that runs a program.
[[nodiscard]] Mark mark_of(const Machine& machine, const Programs& programs, const Exercise& exercise,
                           const Trial& trial);

} // namespace rccebench::grade
