// A job while it runs: what UEs, reports and output need to know of their whole. Built and driven by job.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rcce_emu/engine.hpp"
#include "rcce_emu/job.hpp"
#include "ue.hpp"

namespace rcce {

class Job {
 public:
  Job(const JobOptions& options, std::unique_ptr<Engine> engine);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  [[nodiscard]] const JobOptions& options() const noexcept { return options_; }
  [[nodiscard]] Engine& engine() noexcept { return *engine_; }
  [[nodiscard]] int size() const noexcept { return static_cast<int>(ues_.size()); } ///< number of UEs
  [[nodiscard]] Ue& ue(int rank) noexcept { return *ues_[static_cast<std::size_t>(rank)]; }
  /// The UE on a physical core, or null.
  [[nodiscard]] Ue* ue_on(int core) noexcept {
    return core < 0 ? nullptr : by_core_[static_cast<std::size_t>(core)];
  }

  /// Adds text to the job's report (JobResult::report): deadlocks, crashes, early ends.
  void report(const std::string& text) { report_ += text; }
  [[nodiscard]] const std::string& report() const noexcept { return report_; }

  /// Ends the run at once with this status for the job (124 timeout, 128 + n signal). Does not return when
  /// called from a UE's context.
  void stop(int status);

 private:
  friend JobResult run_job(const JobOptions& options);

  JobOptions options_;
  std::unique_ptr<Engine> engine_;
  std::vector<std::unique_ptr<Ue>> ues_; ///< by rank
  std::vector<Ue*> by_core_;             ///< by physical core; null where no UE runs
  std::string report_;
  int stop_status_ = 0;
};

/// The job whose UEs run on this thread, or null.
[[nodiscard]] Job* current_job() noexcept;

} // namespace rcce
