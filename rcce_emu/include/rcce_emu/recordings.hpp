// SPDX-License-Identifier: Apache-2.0
// What a run can record: one row for each recording, with the options that ask for it. rccerun, rccebench and
// run_job() walk this table, so a new recording is one file of src/watch/record/ and one line in its table.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rcce_emu/job_result.hpp"
#include "rcce_emu/record_options.hpp"

namespace rcce {

struct JobOptions; // job_options.hpp

struct RecordingOption {
  std::string_view names; ///< "statistics stats": the first one is the key in RecordOptions::records
  std::string_view value =
      {}; ///< "FILE"; "[=FILE]" may be left out; "table|csv|json": one of these; empty: none
  std::string_view help = {}; ///< help text of rccerun
  /// Help text of rccebench's commands that record one run; empty: they lack the option.
  std::string_view bench_help = {};
  bool of_one_run = false; ///< --explore, which makes many runs, refuses it
  bool is_detail = false;  ///< says how to record, and does not ask for the recording by itself
};
/// Its value names a file that is written.
[[nodiscard]] bool writes_file(const RecordingOption& option) noexcept;

struct RecordingRow {
  std::string_view name; ///< by which JobOptions ask for it and JobResult has it
  std::span<const RecordingOption> options;
  /// Makes the recording for a job that asks for it. Throws UserError if such a run cannot be recorded.
  std::unique_ptr<record::Recording> (*make)(const JobOptions& job);
};

/// By its name or by one of its options.
[[nodiscard]] bool asks_for(const Records& records, const RecordingRow& row);
/// In the order in which they write, which is that of the help texts.
[[nodiscard]] std::span<const RecordingRow* const> recording_rows() noexcept;
/// All rows' options, in that order.
[[nodiscard]] std::vector<RecordingOption> recording_options();

/// Before the run. Throws UserError for a file that is there already, unless it may be overwritten, for one
/// that cannot be written, and for two options that name one file.
void check_recording_files(const Records& records, bool overwrite);
/// After the run: writes each recording to its file, or to standard error where it needs none. Returns a
/// message for each that could not be written.
[[nodiscard]] std::vector<std::string> write_recordings(const JobResult& result);

/// A signal has ended the runs that `why` makes beforehand; the run that was asked for has not begun.
class Interrupted : public std::runtime_error {
 public:
  Interrupted(int signal, const std::string& what) : std::runtime_error(what), signal_(signal) {}
  [[nodiscard]] int signal() const noexcept { return signal_; }

 private:
  int signal_;
};

} // namespace rcce
