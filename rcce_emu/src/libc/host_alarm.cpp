// SPDX-License-Identifier: Apache-2.0
// A UE's alarm on the threads engine, in the host's time: a timer of the host's per UE, which signals the
// UE's thread. The handler is the UE's own, and interrupts whatever the UE is in, as it would a process;
// without one the run is ended.
#include "libc/host_alarm.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

#include "libc/exports.hpp"
#include "run/interrupt.hpp"
#include "run/own_signals.hpp"
#include "ue/job_state.hpp"

namespace rcce::libc {
namespace {

using Action = struct sigaction;

int real_sigaction(int signal, const Action* action, Action* before) {
  static auto* const real = real_function<int(int, const Action*, Action*)>("sigaction");
  return real(signal, action, before);
}

bool is_ignored(const Ue& ue, int signal) noexcept {
  const process::Signals* own = ue.process->c.signals.get();
  return own != nullptr && own->actions[static_cast<std::size_t>(signal)].sa_handler == SIG_IGN;
}

void handle(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  Ue* ue = current_ue();
  process::Alarm* const alarm = ue == nullptr || !ue->process ? nullptr : ue->process->c.alarm.get();
  if (alarm == nullptr) { // from outside: as if nobody had asked for it
    Action none{};
    real_sigaction(signal, &none, nullptr);
    syscall(SYS_tgkill, getpid(), gettid(), signal);
    return;
  }
  if (alarm->period == 0) alarm->at = INT64_MAX;
  siginfo_t details = *info;
  if (run::has_handler(*ue, signal) && !run::blocks(*ue, signal)) {
    run::run_handler(*ue, signal, &details, context);
    alarm->handled = alarm->handled + 1;
  } else if (run::blocks(*ue, signal) || is_ignored(*ue, signal)) {
    run::raise_in_ue(*ue, signal, &details);
  } else {
    run::end_runs_by(signal, ue->rank);
  }
  errno = error;
}

/// Null where the host has no timer left; errno is set.
process::Alarm* alarm_of(Ue& ue) {
  std::unique_ptr<process::Alarm>& alarm = ue.process->c.alarm;
  if (alarm) return alarm.get();
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGALRM;
  event._sigev_un._tid = gettid();
  timer_t timer{};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return nullptr;
  Action action{};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART; // as signal() has it
  real_sigaction(SIGALRM, &action, nullptr);
  alarm = std::make_unique<process::Alarm>();
  alarm->timer = timer;
  return alarm.get();
}

timespec to_timespec(const timeval& time) noexcept {
  return {time.tv_sec, time.tv_usec * 1000};
}
itimerval to_itimerval(const itimerspec& value) noexcept {
  return {{value.it_interval.tv_sec, value.it_interval.tv_nsec / 1000},
          {value.it_value.tv_sec, value.it_value.tv_nsec / 1000}};
}

} // namespace

itimerval set_host_alarm(Ue& ue, const itimerval& value) {
  process::Alarm* const alarm = alarm_of(ue);
  if (alarm == nullptr) return {};
  const itimerspec wanted{to_timespec(value.it_interval), to_timespec(value.it_value)};
  const bool on = wanted.it_value.tv_sec != 0 || wanted.it_value.tv_nsec != 0;
  // Before the timer, whose signal may come at once.
  alarm->period = value.it_interval.tv_sec != 0 || value.it_interval.tv_usec != 0 ? 1 : 0;
  alarm->at = on ? 0 : INT64_MAX;
  itimerspec before{};
  timer_settime(*alarm->timer, 0, &wanted, &before);
  return to_itimerval(before);
}

itimerval host_alarm(const Ue& ue) {
  const process::Alarm* const alarm = ue.process->c.alarm.get();
  itimerspec left{};
  if (alarm != nullptr && alarm->timer) timer_gettime(*alarm->timer, &left);
  return to_itimerval(left);
}

unsigned alarms_handled(const Ue& ue) noexcept {
  const process::Alarm* const alarm = ue.process->c.alarm.get();
  return alarm == nullptr ? 0 : alarm->handled;
}

} // namespace rcce::libc

rcce::process::Alarm::~Alarm() {
  if (timer) timer_delete(*timer);
}
