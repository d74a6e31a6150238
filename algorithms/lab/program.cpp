// SPDX-License-Identifier: Apache-2.0
#include "lab/program.hpp"

#include <cmath>
#include <cstdio>
#include <memory>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/identity.hpp"
#include "lab/job_point.h"
#include "lab/sweep.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/job.hpp"
#include "rcce_emu/recordings.hpp"
#include "rcce_emu/statuses.hpp"

namespace lab {
namespace {

std::filesystem::path own_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

} // namespace

void write_recordings(const Output& output) {
  const std::vector<std::string> failures = rcce::write_recordings(output.result);
  if (failures.empty()) return;
  const std::string text = fmt::format("{}", fmt::join(failures, "\n"));
  if (std::ferror(stderr) != 0) throw mesh::OutputFailed(text);
  throw mesh::UserError(text);
}

Generation generation_of(const std::string& text) {
  if (text == "1.0") return Generation::rcce10;
  if (text == "2.0") return Generation::rcce20;
  throw mesh::UserError(fmt::format("--rcce '{}': there is no such generation; use 1.0 or 2.0", text));
}

const char* text_of(Generation generation) {
  return generation == Generation::rcce10 ? "1.0" : "2.0";
}

std::filesystem::path program_path(const std::string& program, Generation generation) {
  const char* suffix = generation == Generation::rcce10 ? "-rcce10" : "-rcce20";
  return (own_folder() / "../libexec/rockcreek" / (program + suffix)).lexically_normal();
}

std::filesystem::path data_path(const std::string& file) {
  return (own_folder() / "../share/rockcreek/published" / file).lexically_normal();
}

std::filesystem::path command_path(const std::string& command) {
  return own_folder() / command;
}

std::filesystem::path program_source(const std::string& program) {
  return (own_folder() / "../share/rockcreek/programs" / (program + ".c")).lexically_normal();
}

std::filesystem::path course_path(const std::string& file) {
  return (own_folder() / "../share/rockcreek/course" / file).lexically_normal();
}

namespace {

std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    auto& row = rows.emplace_back();
    for (std::string word; words >> word;) row.push_back(word);
  }
  return rows;
}

/// The text without the lines of numbers by which our programs hand their results over.
std::string without_results(const std::string& text) {
  std::istringstream lines(text);
  std::string rest;
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of("-0123456789 ") != std::string::npos) rest += line + '\n';
  return rest;
}

} // namespace

std::string text_of_status(int status, double most_seconds) {
  switch (status) {
  case rcce::status_deadlock:
    return "a deadlock";
  case rcce::status_timeout:
    return fmt::format("it does not end within {} s of host time", most_seconds);
  case rcce::status_findings:
    return "wrong use of message-passing buffers";
  case LAB_REFUSES:
    return "refused";
  default:
    return status > rcce::status_signal
        ? fmt::format("it was ended by signal {}", status - rcce::status_signal)
        : fmt::format("it ended with status {}", status);
  }
}

Output run_to_end(const Machine& machine, const Run& what) {
  rcce::JobOptions options;
  options.program =
      what.place == ProgramSource::own ? program_path(what.program, what.generation).string() : what.program;
  // Our own programs are loaded thousands of times in a sweep, and nobody debugs them there.
  if (what.place != ProgramSource::file) {
    options.process.loading = rcce::Loading::clone;
    options.process.keep_pages = true;
  }
  options.recording = what.recording;
  options.cores = what.cores;
  // The nominal clock is what RCCE_wtime divides the time stamp counter by: whole MHz, as people gave it on
  // the chip.
  options.launch.clock = fmt::format("{:.3f}", std::floor(machine.core_mhz()) / 1000);
  options.arguments = what.arguments;
  options.data = what.data;
  options.engine.moves_payload = what.moves_payload;
  options.timeout_seconds = what.most_seconds;
  options.interference.perturbation.seed = what.perturbation;
  options.machine = machine.config;
  options.library.costs = machine.costs;
  if (what.copies != "own") options.library.costs.copies = what.copies;
  Output output;
  std::string& text = output.text;
  std::string& complaints = output.complaints;
  options.output.sink = [&](int fd, std::string_view lines) { (fd == 1 ? text : complaints) += lines; };

  output.result = rcce::run_job(options);
  if (output.result.status != 0 && was_interrupted(output.result.interrupted_by)) throw Unfinished();
  return output;
}

Output run(const Machine& machine, const Run& what) {
  Output output = run_to_end(machine, what);
  if (what.place == ProgramSource::own && output.result.status == LAB_REFUSES) {
    // Its own users do not know the call that has refused.
    constexpr std::string_view function = "rockcreek_prepare: ";
    std::string_view why = output.complaints;
    if (why.starts_with(function)) why.remove_prefix(function.size());
    if (why.ends_with('\n')) why.remove_suffix(1);
    throw mesh::UserError(std::string(why));
  }
  if (output.result.status != 0)
    throw std::runtime_error(
        fmt::format("{} on {} cores ended with status {}\n{}{}{}",
                    what.place == ProgramSource::own ? program_path(what.program, what.generation).string()
                                                     : what.program,
                    what.cores.size(), output.result.status, without_results(output.text), output.complaints,
                    output.result.report));
  output.rows = rows_of(output.text);
  return output;
}

void to_json(nlohmann::json& json, const Output& output) {
  json = {{"text", output.text}, {"complaints", output.complaints}};
}

void from_json(const nlohmann::json& json, Output& output) {
  output = {};
  output.text = json.at("text");
  output.complaints = json.at("complaints");
  output.rows = rows_of(output.text);
}

std::vector<Output> run_all(const Machine& machine, const std::vector<Run>& what) {
  const auto copy = std::make_shared<const Machine>(machine);
  auto done = stored_sweep<Output, Run>(
      what, 0, [](const Run&) { return 1.0; }, [copy](const Run& one) { return run(*copy, one); },
      [copy](const Run& one) { return stored_key(*copy, one); });
  if (interrupted_status() != 0) throw Unfinished();
  std::vector<Output> outputs;
  outputs.reserve(done.size());
  for (auto& output : done) outputs.push_back(output ? std::move(*output) : Output{});
  return outputs;
}

} // namespace lab
