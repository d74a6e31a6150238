// SPDX-License-Identifier: Apache-2.0
#include "front/job/guard.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "engine/ue/job_state.hpp"
#include "process/libc/libraries/exit.hpp"
#include "process/libc/signals/alarm.hpp"
#include "process/libc/signals/outside_signals.hpp"
#include "process/libc/state/standard_streams.hpp"
#include "process/process.hpp"
#include "process/run/faults.hpp"
#include "process/run/output.hpp"
#include "process/run/watchdog.hpp"
#include "rcce_emu/job_options.hpp"
#include "rcce_emu/statuses.hpp"
#include "watch/explore/interference.hpp"

namespace rcce {

namespace {

/// True if a job has the process to itself; a second job beside it has not.
std::atomic<bool> process_taken{false};

std::function<void(const Ue&, int, std::string_view)> listener(Job& job) {
  explore::Interference* const interference = job.interference();
  if (interference == nullptr) return {};
  return [interference](const Ue& ue, int fd, std::string_view text) { interference->line(ue, fd, text); };
}

/// Other processes than that which speaks end by themselves only where that one does not end them, and one
/// after the other: the first tells of it.
double time_limit(const Job& job) {
  constexpr double later_seconds = 2, turn_seconds = 0.1;
  const double limit = job.options().timeout_seconds;
  return limit == 0 || job.speaks() ? limit : limit + later_seconds + turn_seconds * job.ranks_here().front();
}

class Guard final : public JobGuard {
 public:
  explicit Guard(Job& job)
      : job_(job),
        output_(job.engine(), static_cast<std::size_t>(job.size()),
                {job.options().output, listener(job),
                 [this](int fd, int error) { stop_without_output(fd, error); }}),
        watchdog_(job, output_, time_limit(job)) {
    libc::install_standard_streams();
    libc::watch_internal_exit();
    libc::flush_process_streams();
    first_ = !process_taken.exchange(true);
    for (int rank = 0; rank < job.size(); ++rank) {
      const Ue& ue = job.ue(rank);
      process::CLibrary& c = ue.process->c;
      c.output = &output_;
      c.variables.input = libc::reads_standard_input(&ue) ? libc::process_stream(0) : libc::empty_input();
      c.variables.output = stdout; // as it is from now on
      c.variables.error = stderr;
      c.alone = first_ && !job.engine().concurrent();
    }
    job.engine().on_progress(
        [](void* self, Picoseconds earliest) { return static_cast<Guard*>(self)->progress(earliest); }, this);
    job.engine().on_interrupt(
        [](void* self, int core) { libc::ring_alarm_in_call(*static_cast<Guard*>(self)->job_.ue_on(core)); },
        this);
    job.engine().on_standstill(
        [](void* self) {
          auto& own = *static_cast<Guard*>(self);
          return libc::ring_at_standstill(own.job_, own.vain_timers_);
        },
        this);
  }

  ~Guard() override {
    if (first_) process_taken = false;
  }

  void finish() override {
    watchdog_.finish();
    for (int rank = 0; rank < job_.size(); ++rank)
      for (const int fd : {1, 2}) output_.end_line(job_.ue(rank), fd);
    output_.emit_all();
  }

 private:
  Picoseconds progress(Picoseconds earliest) {
    watchdog_.check();
    if (const int status = job_.engine().ended_by(); status > 0 && job_.stop_status() == 0) job_.stop(status);
    if (!job_.alarms()) return output_.emit_before(earliest);
    Picoseconds alarm = INT64_MAX;
    const Picoseconds first = libc::ring_sleepers(job_, earliest, alarm, vain_timers_);
    return std::min(output_.emit_before(first), alarm);
  }

  /// A run whose output nobody can read any more is ended: by the status of SIGPIPE where the reader has gone
  /// away.
  void stop_without_output(int fd, int error) {
    job_.report(fmt::format("rccerun: cannot write standard {}: {}; the run is ended\n",
                            fd == 1 ? "output" : "error", std::strerror(error)));
    job_.stop(error == EPIPE ? status_signal + SIGPIPE : status_output_failed);
  }

  Job& job_;
  libc::OutsideSignals outside_signals_;
  run::Output output_;
  run::FaultGuard faults_;
  run::Watchdog watchdog_;
  libc::VainTimers vain_timers_;
  bool first_ = false; ///< true for the first of the jobs that run
};

} // namespace

std::unique_ptr<JobGuard> guard_job(Job& job) {
  return std::make_unique<Guard>(job);
}

} // namespace rcce
