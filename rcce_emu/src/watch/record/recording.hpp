// SPDX-License-Identifier: Apache-2.0
// One recording of one run. A recording is a file of this folder: a class below this one that adds its
// observers to the run and keeps what they have heard, a row with its options (rcce_emu/recordings.hpp), and
// its name in rows.hpp. matrix.cpp is an example.
#pragma once

#include <string>
#include <string_view>

#include "mesh_sim/observe/statistics.hpp"
#include "rcce_emu/job_options.hpp"
#include "rcce_emu/job_result.hpp"
#include "rcce_emu/recordings.hpp"
#include "watch/record/needs.hpp"

namespace rcce::record {

class RecordedRun;

class Recording {
 public:
  explicit Recording(const RecordingRow& row) : row_(row) {}
  virtual ~Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // In this order:
  /// The job can run and has not been made: opens what is written as the run goes, makes runs beforehand by
  /// `run`. Throws UserError.
  virtual void prepare(const JobOptions& /*job*/, JobResult (* /*run*/)(const JobOptions&)) {}
  /// The job has its UEs and does not run yet: adds the observers.
  virtual void begin(RecordedRun& run) = 0;
  /// The engine has ended, the UEs' output is still open.
  virtual void stopped(RecordedRun& /*run*/, Outcome /*outcome*/) {}
  // Where each UE has a process, for what cannot be told again later (RecordedRun::hear_here):
  /// The events that this process has heard, to be sent to the process of rank 0.
  [[nodiscard]] virtual std::string part(const RecordedRun& /*run*/) const { return {}; }
  /// ... which adds it to its own.
  virtual void take(RecordedRun& /*run*/, const std::string& /*part*/) {}
  /// All is over: keeps what is written, and what others read of it.
  virtual void end(RecordedRun& run, JobResult& result) = 0;
  /// To its file, or to standard error. Throws UserError.
  virtual void write() const {}

  [[nodiscard]] const RecordingRow& row() const noexcept { return row_; }
  [[nodiscard]] const mesh::Statistics& table() const noexcept { return table_; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 protected:
  mesh::Statistics table_;
  std::string text_;

 private:
  const RecordingRow& row_;
};

/// The value of an option that has been given; empty where it has not, or has none.
[[nodiscard]] std::string value_of(const JobOptions& job, std::string_view option);

/// A further descriptor, far from the numbers that the program's own files get, which are to stay what they
/// are without it.
[[nodiscard]] int far_from_the_programs(int fd);
/// Sends the program's standard output to standard error from now on: standard output is a recording's. Not
/// if somebody else takes the program's output.
void lend_standard_output(const JobOptions& job);

} // namespace rcce::record
