// SPDX-License-Identifier: Apache-2.0
#include "grade/mark.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "lab.hpp"
#include "lab/compiled_programs.hpp"

namespace rccebench::grade {
namespace {

constexpr int deadlock_status = 121, timeout_status = 124, findings_status = 125; // rccerun --help

/// A line of a checker: RANK REPETITION PICOSECONDS WRONG FIRST (programs/collective.c says more).
struct Line {
  int rank = 0, repetition = 0;
  std::int64_t picoseconds = 0, wrong = 0, first = 0;
};

std::optional<Line> line_of(const std::string& text) {
  std::istringstream in(text);
  Line line;
  if (in >> line.rank >> line.repetition >> line.picoseconds >> line.wrong >> line.first) return line;
  return std::nullopt;
}

std::string fault_of(const Line& line, const Exercise& exercise) {
  if (line.wrong == -1) return fmt::format("rank {} was not ready for the start of a repetition", line.rank);
  if (line.wrong < 0) return fmt::format("rank {} got an error from a call", line.rank);
  if (!exercise.wrong.empty()) return fmt::format("rank {} {}", line.rank, exercise.wrong);
  return fmt::format("rank {} has {} wrong bytes, the first of them byte {}", line.rank, line.wrong,
                     line.first);
}

/// What the lines of all ranks say. Others are the student's own, or begin with "wrong: " and are the
/// checker's words for a fault.
void judge(const std::string& text, const Exercise& exercise, const Trial& trial, Mark& mark) {
  constexpr std::string_view words = "wrong: ";
  std::map<int, std::int64_t> latest; // by repetition
  std::set<int> heard;
  std::optional<Line> first;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one);) {
    if (one.starts_with(words) && mark.fault.empty()) mark.fault = one.substr(words.size());
    const auto line = line_of(one);
    if (!line) continue;
    heard.insert(line->rank);
    const auto place = [](const Line& of) { return std::pair(of.repetition, of.rank); };
    if (line->wrong != 0 && (!first || place(*line) < place(*first))) first = line;
    if (line->repetition >= 0)
      latest[line->repetition] = std::max(latest[line->repetition], line->picoseconds);
  }
  if (mark.fault.empty() && first) mark.fault = fault_of(*first, exercise);
  for (int rank = 0; rank < trial.cores && mark.fault.empty(); ++rank)
    if (!heard.contains(rank))
      mark.fault = fmt::format("rank {} ended before it was asked for its result", rank);
  if (latest.empty() || !mark.fault.empty()) return;
  const auto least = std::min_element(latest.begin(), latest.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  mark.us = static_cast<double>(least->second) * 1e-6;
}

std::string fault_of_status(int status) {
  switch (status) {
  case deadlock_status:
    return "a deadlock";
  case timeout_status:
    return fmt::format("no end within {} s of the host's time", most_host_seconds);
  case findings_status:
    return "wrong use of message-passing buffers";
  default:
    return status > 128 ? fmt::format("signal {} has ended it", status - 128)
                        : fmt::format("it has ended with status {}", status);
  }
}

rcce::JobOptions job_of(const Machine& machine, const std::filesystem::path& program, const Trial& trial) {
  rcce::JobOptions options;
  options.program = program.string();
  options.loading = rcce::Loading::clone;
  options.cores = machine.first_cores(trial.cores);
  options.clock = fmt::format("{:.3f}", std::floor(machine.core_mhz()) / 1000);
  options.arguments = trial.arguments;
  options.machine = machine.config;
  options.costs = machine.costs;
  options.timeout_seconds = most_host_seconds;
  options.digest = true;
  return options;
}

Mark run_once(const Machine& machine, const std::filesystem::path& program, const Exercise& exercise,
              const Trial& trial) {
  rcce::JobOptions options = job_of(machine, program, trial);
  std::string text, complaints;
  options.output = [&](int fd, std::string_view lines) { (fd == 1 ? text : complaints) += lines; };
  const rcce::JobResult result = rcce::run_job(options);
  Mark mark;
  mark.digest = result.digest;
  if (result.status != 0) {
    mark.fault = fault_of_status(result.status);
    mark.report = complaints + result.report;
    return mark;
  }
  judge(text, exercise, trial, mark);
  if (!mark.fault.empty()) mark.report = complaints;
  return mark;
}

/// By rccerun, which compares the runs.
Mark explore(const std::filesystem::path& program, const Trial& trial) {
  const std::filesystem::path log = program.string() + fmt::format(".explored-on-{}", trial.cores);
  std::vector<std::string> words{command_path("rccerun").string(),       "-nue",
                                 fmt::format("{}", trial.cores),         "--explore",
                                 fmt::format("{}", trial.explored_runs), program.string()};
  words.insert(words.end(), trial.arguments.begin(), trial.arguments.end());
  const int status = run_into(words, log);
  Mark mark;
  if (status == 0) return mark;
  mark.fault = status == 1 ? "the result hangs on who comes first"
                           : fault_of_status(status) + " under another timing that the chip could have had";
  mark.report = text_of_file(log);
  // As --program keeps it: the report names no folder that is gone, and is the same everywhere.
  for (std::size_t at = 0; (at = mark.report.find(program.string(), at)) != std::string::npos;)
    mark.report.replace(at, program.string().size(), "./graded");
  return mark;
}

} // namespace

Mark mark_of(const Machine& machine, const Programs& programs, const Exercise& exercise, const Trial& trial) {
  const std::filesystem::path& program = programs.at(trial.program);
  return trial.explored_runs > 0 ? explore(program, trial) : run_once(machine, program, exercise, trial);
}

} // namespace rccebench::grade
