// SPDX-License-Identifier: Apache-2.0
// `--matrix`: who sends to whom.
#include "mesh_sim/output_file.hpp"
#include "watch/record/recorded_run.hpp"
#include "watch/record/rows.hpp"

namespace rcce::record {
namespace {

constexpr RecordingOption matrix_options[] = {
    {.names = "matrix",
     .value = "FILE",
     .help = "messages and bytes by sender and receiver; format as with --statistics",
     .bench_help =
         "messages and bytes by sender and receiver of the one run that is asked for, to the file: .csv, "
         ".json, else a table; of a collective operation its data alone, messages or puts and gets",
     .of_one_run = true}};

class MatrixRecording final : public Recording {
 public:
  explicit MatrixRecording(const JobOptions& job)
      : Recording(matrix_row), file_(value_of(job, "matrix")), with_copies_(job.recording.part.has_value()) {}

  void begin(RecordedRun& run) override { run.count_pairs(with_copies_); }
  void end(RecordedRun& run, JobResult& result) override { table_ = run.pairs(result, with_copies_); }
  void write() const override {
    if (!file_.empty())
      mesh::write_output("--matrix", file_, mesh::write_statistics(table_, mesh::statistics_format(file_)));
  }

 private:
  std::string file_;
  bool with_copies_;
};

} // namespace

constinit const RecordingRow matrix_row{"matrix", matrix_options, make<MatrixRecording>};

} // namespace rcce::record
