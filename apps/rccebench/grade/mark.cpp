// SPDX-License-Identifier: Apache-2.0
#include "grade/mark.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "lab.hpp"
#include "lab/compiled_programs.hpp"
#include "lab/job_point.h"
#include "lab/program.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/output_file.hpp"
#include "mesh_sim/parameters.hpp"
#include "rcce_emu/job.hpp"
#include "rcce_emu/statuses.hpp"

namespace rccebench::grade {
namespace {

/// Limit of each output of a run, so that a program that prints for ever does not take all memory.
constexpr std::size_t most_text_bytes = std::size_t{64} << 20;

/// Most results that a checker may tell of one trial.
constexpr std::int64_t most_lines = 1 << 16;

/// As checkers of somebody's own may print it: RANK REPETITION PICOSECONDS WRONG FIRST.
std::optional<lab_line> line_of(const std::string& text) {
  std::istringstream in(text);
  lab_line line{};
  if (in >> line.rank >> line.repetition >> line.picoseconds >> line.wrong >> line.first) return line;
  return std::nullopt;
}

std::string fault_of(const lab_line& line, const Exercise& exercise) {
  if (line.wrong == -1) return fmt::format("rank {} was not ready for the start of a repetition", line.rank);
  if (line.wrong < 0) return fmt::format("rank {} got an error from a call", line.rank);
  if (!exercise.wrong.empty()) return fmt::format("rank {} {}", line.rank, exercise.wrong);
  return fmt::format("rank {} has {}, the first of them byte {}", line.rank,
                     mesh::counted(line.wrong, "wrong byte"), line.first);
}

/// Judges the lines of all ranks, and what the program has printed: words behind "wrong: " are a fault.
void judge(std::vector<lab_line> lines, const std::string& text, const Exercise& exercise, const Trial& trial,
           Mark& mark) {
  constexpr std::string_view words = "wrong: ";
  const bool may_print = !exercise.of_course && lines.empty();
  std::istringstream in(text);
  for (std::string one; std::getline(in, one);) {
    if (one.starts_with(words) && mark.fault.empty()) mark.fault = one.substr(words.size());
    const auto line = may_print ? line_of(one) : std::nullopt;
    if (line) lines.push_back(*line);
  }
  std::map<std::int64_t, std::int64_t> latest; // by repetition
  std::set<std::int64_t> heard;
  std::optional<lab_line> first;
  for (const lab_line& line : lines) {
    heard.insert(line.rank);
    const auto place = [](const lab_line& of) { return std::pair(of.repetition, of.rank); };
    if (line.wrong != 0 && (!first || place(line) < place(*first))) first = line;
    if (line.repetition >= 0) latest[line.repetition] = std::max(latest[line.repetition], line.picoseconds);
  }
  if (mark.fault.empty() && first) mark.fault = fault_of(*first, exercise);
  // Of runs that others agree with, a checker may tell nothing but what is wrong.
  const bool silent = trial.explored_runs > 0 && heard.empty();
  for (int rank = 0; rank < trial.cores && mark.fault.empty() && !silent; ++rank)
    if (!heard.contains(rank))
      mark.fault = fmt::format("rank {} ended before it was asked for its result", rank);
  if (latest.empty() || !mark.fault.empty()) return;
  const auto least = std::min_element(latest.begin(), latest.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  mark.us = static_cast<double>(least->second) * 1e-6;
}

rcce::JobOptions job_of(const Machine& machine, const std::filesystem::path& program, const Trial& trial,
                        double host_seconds) {
  rcce::JobOptions options;
  options.program = program.string();
  options.process.loading = rcce::Loading::clone;
  options.process.keep_pages = true; // a program has many trials, and nobody debugs it here
  options.cores = machine.first_cores(trial.cores);
  options.launch.clock = fmt::format("{:.3f}", std::floor(machine.core_mhz()) / 1000);
  options.arguments = trial.arguments;
  options.machine = machine.config;
  options.library.costs = machine.costs;
  options.timeout_seconds = host_seconds;
  options.recording.records["digest"];
  return options;
}

Mark run_once(const Machine& machine, const std::filesystem::path& program, const Exercise& exercise,
              const Trial& trial, double host_seconds) {
  rcce::JobOptions options = job_of(machine, program, trial, host_seconds);
  std::vector<lab_line> lines(most_lines);
  std::int64_t count = 0;
  lab_job_point given{};
  given.lines = lines.data();
  given.line_room = most_lines;
  given.line_count = &count;
  options.data = &given;
  std::string text, complaints;
  options.output.sink = [&](int fd, std::string_view printed) {
    std::string& to = fd == 1 ? text : complaints;
    if (to.size() <= most_text_bytes) to += printed;
  };
  const rcce::JobResult result = rcce::run_job(options);
  Mark mark;
  mark.digest = result.digest;
  mark.endless = result.status == rcce::status_timeout;
  if (result.status != 0) {
    mark.fault = lab::text_of_status(result.status, host_seconds);
    mark.report = complaints + result.report;
    return mark;
  }
  if (text.size() > most_text_bytes) {
    mark.fault = fmt::format("it prints more than {} MiB", most_text_bytes >> 20);
    return mark;
  }
  if (count > most_lines) {
    mark.fault = fmt::format("its checker tells {} results; at most {} can be judged", count, most_lines);
    return mark;
  }
  lines.resize(static_cast<std::size_t>(count));
  judge(std::move(lines), text, exercise, trial, mark);
  if (!mark.fault.empty()) mark.report = complaints;
  return mark;
}

std::string machine_text(Machine machine) {
  mesh::ParameterTable parameters = machine.config.table();
  for (const mesh::Parameter& parameter : machine.costs.parameters()) parameters.push_back(parameter);
  return mesh::write_parameters(parameters);
}

void replace_all(std::string& text, const std::string& what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

/// By rccerun, which compares the runs with one that is judged here.
Mark explore(const Machine& machine, const std::filesystem::path& program, const Exercise& exercise,
             const Trial& trial, double host_seconds) {
  if (Mark one = run_once(machine, program, exercise, trial, host_seconds); !one.fault.empty()) {
    one.digest = 0;
    return one;
  }
  static std::atomic<int> trials = 0; // side by side, each with files of its own
  const std::string here = program.string() + fmt::format(".explored-{}", trials++);
  const std::filesystem::path log = here, file = here + ".machine";
  std::vector<std::string> words{command_path("rccerun").string(), "-nue", fmt::format("{}", trial.cores),
                                 "--timeout", fmt::format("{}", host_seconds)};
  if (const std::string text = machine_text(machine); text != machine_text(lab::open_machine("scc"))) {
    mesh::write_output("--machine", file.string(), text);
    words.insert(words.end(), {"--machine", file.string()});
  }
  const auto repeated = [&](const std::string& option, const std::string& value) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {option, value, program.string()});
    all.insert(all.end(), trial.arguments.begin(), trial.arguments.end());
    return run_into(all, log);
  };
  int status = repeated("--explore", fmt::format("{}", trial.explored_runs));
  // A wait that is longer than all delays makes runs agree, and orders nothing.
  if (status == 0 && !trial.check.empty()) status = repeated("--check", trial.check);
  Mark mark;
  mark.endless = status == rcce::status_timeout;
  if (status == 0) return mark;
  mark.fault = status == 1 ? "the result depends on who comes first"
      : status == rcce::status_findings
      ? "the runs agree, but nothing keeps the order of two accesses"
      : lab::text_of_status(status, host_seconds) + " under another timing that the chip could have had";
  mark.report = text_of_file(log);
  // As --program keeps it: the report names no folder that is gone, and is the same everywhere.
  replace_all(mark.report, file.string(), "MACHINE");
  replace_all(mark.report, program.string(), "./graded");
  return mark;
}

} // namespace

Mark mark_of(const Machine& machine, const Programs& programs, const Exercise& exercise, const Trial& trial) {
  const std::filesystem::path& program = programs.at(trial.program);
  return trial.explored_runs > 0 ? explore(machine, program, exercise, trial, most_host_seconds)
                                 : run_once(machine, program, exercise, trial, most_host_seconds);
}

} // namespace rccebench::grade
