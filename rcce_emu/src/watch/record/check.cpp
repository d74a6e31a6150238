// SPDX-License-Identifier: Apache-2.0
// `--check mpb`: how message-passing buffers are used, by the checker of src/watch/check/.
#include <optional>

#include "engine/ue/engines.hpp"
#include "engine/ue/job_state.hpp"
#include "rcce_emu/job_options.hpp"
#include "watch/check/checker.hpp"
#include "watch/record/recorded_run.hpp"
#include "watch/record/rows.hpp"

namespace rcce::record {
namespace {

class CheckRecording final : public Recording {
 public:
  explicit CheckRecording(const JobOptions& job) : Recording(check_row) {
    need(job, capabilities_of(job).repeatable, "--check mpb", "the order of all accesses has to be known");
  }

  void begin(RecordedRun& run) override {
    run.hear(checker_.emplace(run.job()));
    run.job().checked_by(*checker_);
  }
  void stopped(RecordedRun& run, Outcome outcome) override {
    Job& job = run.job();
    checker_->ends(outcome == Outcome::deadlock ? job.engine().blocked() : std::vector<BlockedCore>{});
    job.report(checker_->findings().text(job.options().program) + checker_->unseen());
    job.found(checker_->findings().distinct());
  }
  void end(RecordedRun&, JobResult&) override { checker_.reset(); } // it knows the job, which ends

 private:
  std::optional<check::Checker> checker_;
};

} // namespace

// `--check` itself, which heaps have too, is read by the launcher.
constinit const RecordingRow check_row{"check", {}, make<CheckRecording>};

} // namespace rcce::record
