// SPDX-License-Identifier: Apache-2.0
// The programs that run on the simulated cores: plain RCCE programs (folder programs/), built by rccecc
// beside this executable, run in this process, their printed rows read back.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/machine.hpp"
#include "rcce_emu/job_result.hpp"
#include "rcce_emu/record_options.hpp"

namespace lab {

/// Cores that the programs for the chip can have; larger meshes take those with RCCE_MAXNP raised.
inline constexpr int chip_cores = 48;

enum class Generation : std::uint8_t { rcce10, rcce20 };
[[nodiscard]] Generation generation_of(const std::string& text); ///< "1.0" or "2.0"
[[nodiscard]] const char* text_of(Generation generation);

/// The place of an image, and how it is loaded.
enum class ProgramSource : std::uint8_t {
  own,      ///< a name of ours, in libexec
  compiled, ///< a path; compiled by us, so treated alike
  file      ///< a path; the user's program
};

/// The place of a file of ours, in the build tree and after installation: relative to this executable.
[[nodiscard]] std::filesystem::path program_path(const std::string& program, Generation generation);
[[nodiscard]] std::filesystem::path data_path(const std::string& file);
[[nodiscard]] std::filesystem::path command_path(const std::string& command);   ///< "rccecc"
[[nodiscard]] std::filesystem::path program_source(const std::string& program); ///< programs/NAME.c
[[nodiscard]] std::filesystem::path course_path(const std::string& file);       ///< a file of apps/course

struct Run {
  std::string program;
  Generation generation = Generation::rcce20;
  std::vector<int> cores;
  std::vector<std::string> arguments;
  std::string copies = "own";               ///< copy routine, as rcce.copies of a machine file says it
  ProgramSource place = ProgramSource::own; ///< kind of `program`
  rcce::RecordOptions recording = {};       ///< nothing of it takes simulated time
  void* data = nullptr;                     ///< as rcce::JobOptions has it
  bool moves_payload = true;                ///< as rcce::EngineOptions has it
  std::uint64_t perturbation = 0;           ///< seed of delays, as rcce::Perturbation has it; 0: none
  double most_seconds = 0; ///< limit of host time in seconds, after which the run is ended; 0: none
};

struct Output {
  std::string text;                           ///< standard output
  std::vector<std::vector<std::string>> rows; ///< its lines, cut at blanks
  std::string complaints;                     ///< standard error
  rcce::JobResult result;
};

/// Writes what the run has recorded. Throws mesh::UserError where a file cannot be written.
void write_recordings(const Output& output);

/// Whatever its status is.
[[nodiscard]] Output run_to_end(const Machine& machine, const Run& what);
/// The meaning of a status other than 0: "a deadlock". `most_seconds` as in Run.
[[nodiscard]] std::string text_of_status(int status, double most_seconds);

/// Throws mesh::UserError with the job's own report when it does not end with status 0.
[[nodiscard]] Output run(const Machine& machine, const Run& what);

/// As outputs are stored: what has been written, without result.
void to_json(nlohmann::json& json, const Output& output);
void from_json(const nlohmann::json& json, Output& output);

/// Runs independent jobs on all processors; results in the order asked for. In a shard outputs of the others'
/// jobs are empty: require_whole() after the last sweep. Throws Unfinished after Ctrl-C.
[[nodiscard]] std::vector<Output> run_all(const Machine& machine, const std::vector<Run>& what);

} // namespace lab
