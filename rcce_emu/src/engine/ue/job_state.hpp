// SPDX-License-Identifier: Apache-2.0
// A job while it runs: what UEs, reports and output need to know of their whole. Built and driven by job.cpp.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ue/ue.hpp"
#include "rcce_emu/engine.hpp"
#include "rcce_emu/job_result.hpp"
#include "rcce_emu/statuses.hpp"

namespace rcce {

struct JobOptions;     // rcce_emu/job_options.hpp
struct ProcessOptions; // rcce_emu/process_options.hpp

namespace check {
class Checker; // of the job's use of message-passing buffers: watch/check/checker.hpp
}
namespace explore {
class Interference;
}

class Job {
 public:
  /// Makes one UE per core of the options, ranks by ascending core number; their images and processes come
  /// later.
  Job(const JobOptions& options, std::unique_ptr<Engine> engine, explore::Interference* interference);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Before the run: whom the library tells of what the UEs do. They are complete, and outlive the run.
  void observed_by(mesh::Observers& observers);

  [[nodiscard]] const JobOptions& options() const noexcept { return *options_; }
  [[nodiscard]] bool stores_are_unseen() const noexcept; ///< EngineOptions::stores_unseen
  /// The options that say what each UE gets from the host.
  [[nodiscard]] const ProcessOptions& process_options() const noexcept;
  /// Memory that the program shares with whoever runs the job, or null.
  [[nodiscard]] void* data() const noexcept;
  /// Clock of the machine's cores at the start, whatever the program is told.
  [[nodiscard]] double core_mhz() const noexcept;
  [[nodiscard]] Engine& engine() noexcept { return *engine_; }
  [[nodiscard]] int size() const noexcept { return static_cast<int>(ues_.size()); } ///< number of UEs
  [[nodiscard]] Ue& ue(int rank) noexcept { return *ues_[static_cast<std::size_t>(rank)]; }
  /// Ranks whose UEs run in this process, ascending: all, or one.
  [[nodiscard]] const std::vector<int>& ranks_here() const noexcept { return here_; }
  /// True if this process reports what happens to the job as a whole: that of rank 0.
  [[nodiscard]] bool speaks() const noexcept { return here_.front() == 0; }
  /// Who disturbs or records the run, or null.
  [[nodiscard]] explore::Interference* interference() noexcept { return interference_; }
  /// The UE on a physical core, or null.
  [[nodiscard]] Ue* ue_on(int core) noexcept {
    return core < 0 ? nullptr : by_core_[static_cast<std::size_t>(core)];
  }

  /// Null unless the options ask for it.
  [[nodiscard]] check::Checker* checker() noexcept { return checker_; }
  void checked_by(check::Checker& checker) noexcept { checker_ = &checker; }

  /// Counts what --check has found.
  void found(std::size_t findings) noexcept { findings_ += findings; }
  [[nodiscard]] std::size_t findings() const noexcept { return findings_; }

  /// Adds text to the job's report (JobResult::report): deadlocks, crashes, early ends.
  void report(std::string_view text) {
    const std::lock_guard guard(report_mutex_);
    report_ += text;
  }
  /// After the run.
  [[nodiscard]] const std::string& report() const noexcept { return report_; }

  /// A message has had different sizes at its two ends: the run cannot have the status of success.
  void note_mismatch() noexcept { mismatched_ = true; }
  [[nodiscard]] bool mismatched() const noexcept { return mismatched_; }

  /// The program has been compiled with --observe.
  void note_observed() noexcept { observed_ = true; }
  [[nodiscard]] bool observed() const noexcept { return observed_; }

  /// Actions whose result depends on which UE comes first, where UEs that run at the same time have simulated
  /// clocks: the host then decides. Unseen stores (EngineOptions::stores_unseen) are early or late on every
  /// engine.
  enum class HostOrder : unsigned {
    polls = 1,
    stores = 2,
    requests = 4,
    locks = 8,
    unseen_stores = 16,
    clocks = 32
  };
  void note_host_order(HostOrder what) noexcept {
    if (engine_->wall_clock() || (engine_->can().repeatable && what != HostOrder::unseen_stores)) return;
    note_host_orders(static_cast<unsigned>(what));
  }
  /// Those of other processes' UEs, or all of them.
  void note_host_orders(unsigned what) noexcept { host_orders_.fetch_or(what, std::memory_order_relaxed); }
  [[nodiscard]] unsigned host_orders() const noexcept { return host_orders_; }

  /// A UE has an alarm in simulated time, or has had one.
  void note_alarm() noexcept { alarms_ = true; }
  [[nodiscard]] bool alarms() const noexcept { return alarms_; }

  /// A signal that comes from outside (process/run/own_signals.hpp).
  struct OutsideSignal {
    std::atomic<int> handler{-1}; ///< rank of the UE whose handler the process has; -1: none
    int blockers = 0;             ///< UEs that block it, where they take turns on one thread
  };
  [[nodiscard]] OutsideSignal& outside_signal(int signal) noexcept {
    return outside_signals_[static_cast<std::size_t>(signal)];
  }

  /// Says that all have been polling for suspiciously long; returns whether that has been said before.
  bool suspects_polling() noexcept { return suspects_polling_.exchange(true); }

  /// Ends the run at once with this status for the job (statuses.hpp); the first call counts.
  /// Does not return when called from a UE's context; may be called from another thread.
  void stop(int status);
  [[nodiscard]] int stop_status() const noexcept { return stop_status_; } ///< 0: nobody called stop()

 private:
  const std::unique_ptr<const JobOptions> options_;
  std::unique_ptr<Engine> engine_;
  explore::Interference* interference_;
  std::vector<std::unique_ptr<Ue>> ues_; ///< by rank
  std::vector<int> here_;
  check::Checker* checker_ = nullptr;
  std::vector<Ue*> by_core_; ///< by physical core; null where no UE runs
  std::mutex report_mutex_;
  std::string report_;
  std::atomic<std::size_t> findings_{0};
  std::atomic<int> stop_status_{0};
  std::atomic<bool> suspects_polling_{false};
  std::atomic<bool> alarms_{false};
  std::atomic<unsigned> host_orders_{0};
  std::atomic<bool> observed_{false};
  std::atomic<bool> mismatched_{false};
  std::array<OutsideSignal, 65> outside_signals_; ///< by number
};

/// The job whose UEs run on this thread, or null.
[[nodiscard]] Job* current_job() noexcept;

/// Says which job this thread runs from now on, and which UE's code; for job.cpp.
void set_current(Job* job, Ue* ue) noexcept;

/// While it lives the thread acts for no UE: around code of whoever runs the job, which is not to allocate
/// from the heap of the UE that has led there.
class OutsideUe {
 public:
  OutsideUe() noexcept : job_(current_job()), ue_(current_ue()) { set_current(job_, nullptr); }
  ~OutsideUe() { set_current(job_, ue_); }
  OutsideUe(const OutsideUe&) = delete;
  OutsideUe& operator=(const OutsideUe&) = delete;

 private:
  Job* job_;
  Ue* ue_;
};

} // namespace rcce
