// SPDX-License-Identifier: Apache-2.0
// Waiting for signals: pause(), sigsuspend(), sigwait() and its kind. In simulated time those of a UE's
// own timers are the only ones that can come to it while it waits; from outside come those of the host.
#include "process/libc/waits/signal_wait.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <unistd.h>

#include <fmt/format.h>

#include "engine/host/clock.hpp"
#include "engine/ue/job_state.hpp"
#include "process/libc/exports.hpp"
#include "process/libc/signals/alarm.hpp"
#include "process/libc/signals/outside_signals.hpp"
#include "process/libc/waits/host_wait.hpp"
#include "process/run/own_signals.hpp"
#include "process/run/run_view.hpp"

namespace rcce::libc {
namespace {

/// How often a UE looks whether a signal has come.
constexpr Picoseconds look_interval = picoseconds_per_second / 1000;

[[noreturn]] void end_hopeless(Ue& ue, const char* call) {
  ue.job->report(
      run::state_text(run::view_run(*ue.job),
                      fmt::format("a {} of rank {}, to which no signal can come any more", call, ue.rank)));
  ue.job->stop(status_deadlock);
  std::abort(); // a stopped run does not continue a context
}

sigset_t blocked_by(const Ue& ue) noexcept {
  if (ue.process->c.signals) return ue.process->c.signals->blocked;
  sigset_t none;
  sigemptyset(&none);
  return none;
}

/// Those of the set that come from outside; false where there are none.
bool outside_part(const sigset_t& set, sigset_t& part) noexcept {
  sigemptyset(&part);
  bool any = false;
  for (int signal = 1; signal <= process::Signals::highest; ++signal) {
    if (sigismember(&set, signal) != 1 || !run::comes_from_outside(signal)) continue;
    sigaddset(&part, signal);
    any = true;
  }
  return any;
}

/// Takes a signal of the set that is pending; 0: there is none.
int take_pending(Ue& ue, const sigset_t& set, siginfo_t& details) {
  const process::Signals& own = run::signals_of(ue);
  for (int signal = 1; signal <= process::Signals::highest; ++signal) {
    if (sigismember(&set, signal) != 1 || sigismember(&own.pending, signal) != 1) continue;
    details = run::take_waiting(ue, signal);
    return signal;
  }
  sigset_t outside;
  if (!outside_part(set, outside)) return 0;
  static auto* const real = real_function<int(const sigset_t*, siginfo_t*, const timespec*)>("sigtimedwait");
  const timespec at_once{};
  return std::max(real(&outside, &details, &at_once), 0);
}

/// sigwait() and its kind until `end`; 0: nothing has come by then, -1: a handler of another signal has run.
int wait_for(Ue& ue, const char* call, const sigset_t& set, siginfo_t& details, Picoseconds end) {
  const sigset_t before = blocked_by(ue);
  sigset_t held, outside;
  sigorset(&held, &before, &set);
  run::restore_blocked(ue, held);
  const unsigned run_before = handlers_run(ue);
  int signal = 0;
  await_signal(ue, call, end, outside_part(set, outside), [&] {
    signal = take_pending(ue, set, details);
    if (signal == 0 && handlers_run(ue) != run_before) signal = -1;
    return signal != 0;
  });
  run::set_blocked(ue, before);
  return signal;
}

int suspend_by(Ue& ue, const char* call, const sigset_t* mask) {
  const sigset_t before = blocked_by(ue);
  const unsigned run_before = handlers_run(ue);
  if (mask != nullptr) run::set_blocked(ue, *mask);
  await_signal(ue, call, INT64_MAX, false, [&] { return handlers_run(ue) != run_before; });
  if (mask != nullptr) run::set_blocked(ue, before);
  return failed(EINTR);
}

} // namespace

unsigned handlers_run(const Ue& ue) noexcept {
  const process::Signals* own = ue.process->c.signals.get();
  return (own == nullptr ? 0 : own->handlers_run) + outside_handlers_run();
}

bool await_signal(Ue& ue, const char* call, Picoseconds end, bool from_outside,
                  const std::function<bool()>& come) {
  const AwaitedCall awaited(ue, call, -1);
  for (;;) {
    if (come()) return true;
    const Picoseconds now = ue.core->now();
    if (now >= end) return false;
    const bool simulated = !ue.engine->wall_clock();
    const Picoseconds alarm = simulated ? process::alarm_time(ue) : INT64_MAX;
    const bool others = simulated && (ue.engine->concurrent() || others_can_act(ue));
    const bool outside = from_outside || run::handles_outside(*ue.job);
    // Nobody's doing: on to what comes by the UE's own clock.
    const Picoseconds step = others || outside || !simulated ? now + look_interval : INT64_MAX;
    const Picoseconds next = std::min({alarm, end, step});
    if (next == INT64_MAX) end_hopeless(ue, call);
    if (simulated && next > last_instant(ue.engine->cores())) end_of_time(ue, call);
    if (ue.engine->concurrent() ? simulated : outside && !others && alarm == INT64_MAX)
      host::sleep(1'000'000); // for what does not come by the UE's clock
    ue.core->sleep_until(next);
    ue.core->schedule();
    ring_alarm(ue);
  }
}

} // namespace rcce::libc

using namespace rcce;
using namespace rcce::libc;

extern "C" {

int pause() {
  Ue* ue = calling_ue();
  if (ue != nullptr) return suspend_by(*ue, "pause()", nullptr);
  return library_function<"pause", decltype(pause)>()();
}

int sigsuspend(const sigset_t* mask) {
  Ue* ue = calling_ue();
  if (ue != nullptr) return suspend_by(*ue, "sigsuspend()", mask);
  return library_function<"sigsuspend", decltype(sigsuspend)>()(mask);
}

int sigwait(const sigset_t* set, int* result) {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"sigwait", decltype(sigwait)>()(set, result);
  siginfo_t details{};
  int signal = 0;
  do signal = wait_for(*ue, "sigwait()", *set, details, INT64_MAX);
  while (signal <= 0);
  *result = signal;
  return 0;
}

int sigwaitinfo(const sigset_t* set, siginfo_t* result) {
  return sigtimedwait(set, result, nullptr);
}

int sigtimedwait(const sigset_t* set, siginfo_t* result, const struct timespec* timeout) {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"sigtimedwait", decltype(sigtimedwait)>()(set, result, timeout);
  Picoseconds end = INT64_MAX;
  charge_own_code(*ue);
  if (timeout != nullptr) {
    ue->clock = std::max(ue->clock, Ue::Clock::coarse);
    end = ue->core->now() +
        std::min<std::int64_t>(timeout->tv_sec, longest_seconds) * picoseconds_per_second +
        timeout->tv_nsec * 1000;
  }
  siginfo_t details{};
  const int signal =
      wait_for(*ue, timeout == nullptr ? "sigwaitinfo()" : "sigtimedwait()", *set, details, end);
  if (signal > 0) {
    if (result != nullptr) *result = details;
    return signal;
  }
  return failed(signal == 0 ? EAGAIN : EINTR);
}

} // extern "C"
