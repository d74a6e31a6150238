// SPDX-License-Identifier: Apache-2.0
// A UE's timers in the host's time: each is a timer of the host's, which signals the UE's thread. All come by
// one signal, which says whose turn it is; the UE gets the timer's own. The handler is the UE's own, and
// interrupts whatever the UE is in, as it would a process; without one the run is ended.
#include "process/libc/signals/host_alarm.hpp"

#include <cerrno>
#include <csignal>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/ue/job_state.hpp"
#include "process/libc/exports.hpp"
#include "process/libc/signals/alarm.hpp"
#include "process/run/host_timer.hpp"
#include "process/run/interrupt.hpp"
#include "process/run/own_signals.hpp"

namespace rcce::libc {
namespace {

using Action = struct sigaction;

constexpr int carrier = SIGALRM;

int real_sigaction(int signal, const Action* action, Action* before) {
  return library_function<"sigaction", int(int, const Action*, Action*)>()(signal, action, before);
}

void deliver(Ue& ue, int signal, siginfo_t& details, void* context) {
  if (run::has_handler(ue, signal) && !run::blocks(ue, signal))
    run::run_handler(ue, signal, &details, context);
  else if (run::blocks(ue, signal) || run::ignores(ue, signal))
    run::raise_in_ue(ue, signal, &details);
  else
    run::end_runs_by(signal, ue.rank);
}

void go_off(Ue& ue, process::Timer& timer, int overruns, void* context) {
  // A UE that sleeps runs its handler outside of that: it may call the library, or leave by a jump. It counts
  // as awake before the timer is off.
  const bool later = run::has_handler(ue, timer.signal) && !run::blocks(ue, timer.signal) &&
      ue.engine->interrupt_wait(ue.core->id(), 0);
  if (timer.period == 0) timer.at = INT64_MAX;
  if (timer.waits) { // one signal stands for both
    timer.overruns += 1 + overruns;
    return;
  }
  timer.overruns = overruns;
  siginfo_t details = timer.details;
  if (details.si_code == SI_TIMER) details.si_overrun = overruns;
  timer.waits = later || run::blocks(ue, timer.signal);
  if (later) return run::keep_pending(ue, details);
  deliver(ue, timer.signal, details, context);
}

void handle(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  Ue* const ue = current_ue();
  process::Timers* const timers = ue == nullptr || !ue->process ? nullptr : ue->process->c.alarm.get();
  if (timers == nullptr) { // from outside: as if nobody had asked for it
    Action none{};
    real_sigaction(signal, &none, nullptr);
    syscall(SYS_tgkill, getpid(), gettid(), signal);
    return;
  }
  if (info->si_code != SI_TIMER)
    deliver(*ue, signal, *info, context);
  else if (process::Timer* const timer =
               timers->all[static_cast<std::size_t>(info->si_value.sival_int)].get())
    go_off(*ue, *timer, info->si_overrun, context);
  errno = error;
}

} // namespace

void set_host_alarm(process::Timer& timer, int place, Picoseconds after) {
  if (!timer.host) {
    Action action{};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_RESTART; // as signal() has it
    real_sigaction(carrier, &action, nullptr);
    timer.host = run::make_timer(CLOCK_MONOTONIC, gettid(), timer.signal == 0 ? 0 : carrier, place);
  }
  timer.at = after == 0 ? INT64_MAX : 0; // before the timer is set, whose signal may come at once
  if (after == 0)
    run::stop_timer(*timer.host);
  else
    run::set_timer(*timer.host, after / picoseconds_per_nanosecond,
                   timer.period / picoseconds_per_nanosecond);
}

Picoseconds host_alarm(const process::Timer& timer) {
  return timer.host ? run::nanoseconds_left(*timer.host) * picoseconds_per_nanosecond : 0;
}

unsigned own_handlers_run(const Ue& ue) noexcept {
  const process::Signals* const own = ue.process->c.signals.get();
  return own == nullptr ? 0 : own->handlers_run;
}

} // namespace rcce::libc

rcce::process::Timer::~Timer() {
  if (host) rcce::run::delete_timer(*host);
}
