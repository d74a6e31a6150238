// SPDX-License-Identifier: Apache-2.0
// The timers of a UE, and those of them that the C library has once per process: alarm() and setitimer(). In
// simulated time they go off by the clock of the UE's core: in a sleep, pause() or wait at their instant,
// else at the first query of the time or call of the library that begins after it. In the host's time they
// are timers of the host's that signal the UE's thread (host_alarm.cpp).
#include "process/libc/signals/alarm.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <functional>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

#include "engine/ue/job_state.hpp"
#include "process/libc/exports.hpp"
#include "process/libc/signals/host_alarm.hpp"
#include "process/run/own_signals.hpp"

namespace rcce::libc {
namespace {

constexpr std::int64_t picoseconds_per_microsecond = 1'000'000;

Picoseconds to_picoseconds(const timeval& time) noexcept {
  return std::min<std::int64_t>(time.tv_sec, longest_seconds) * picoseconds_per_second +
      time.tv_usec * picoseconds_per_microsecond;
}

timeval to_timeval(Picoseconds time) noexcept {
  return {time / picoseconds_per_second, time % picoseconds_per_second / picoseconds_per_microsecond};
}

/// One that is on has not yet come to 0.
itimerval to_itimerval(const TimerSetting& setting) noexcept {
  return {to_timeval(setting.period),
          to_timeval(setting.left == 0 ? 0 : std::max(setting.left, picoseconds_per_microsecond))};
}

/// Has the program's own code call the runtime when it has come to its alarm, in a loop too.
void limit_own_code(Ue& ue) {
  struct rockcreek_image& image = *ue.image;
  const Picoseconds alarm = process::alarm_time(ue);
  image.most_cycles = alarm == INT64_MAX ? ue.most_cycles : 0;
  image.cycles_left = ROCKCREEK_MOST_CYCLES;
  if (alarm == INT64_MAX) return;
  const double cycle = ue.engine->cycle_of(ue.core->id());
  // What its memory takes is not among its cycles: with that it gets there in several steps.
  const double share = ue.known_lines != nullptr || ue.memory_per_million_cycles > 0 ? 16 : 1;
  const double cycles = static_cast<double>(alarm - ue.core->now()) / cycle / share;
  if (cycles < ROCKCREEK_MOST_CYCLES) image.cycles_left = cycles < 0 ? 0 : static_cast<unsigned>(cycles);
}

itimerval left(const Ue& ue, __itimer_which_t which) {
  const process::Timers* const timers = ue.process->c.alarm.get();
  const process::Timer* const timer = timers == nullptr ? nullptr : timers->all[which].get();
  return timer == nullptr ? itimerval{} : to_itimerval(timer_setting(ue, *timer));
}

/// Returns what was left before.
itimerval set(Ue& ue, __itimer_which_t which, const itimerval& value) {
  charge_own_code(ue);
  ue.core->schedule();
  const itimerval before = left(ue, which);
  std::unique_ptr<process::Timer>& timer = timers_of(ue).all[which];
  if (!timer) {
    timer = std::make_unique<process::Timer>();
    constexpr std::array signals{SIGALRM, SIGVTALRM, SIGPROF};
    timer->signal = timer->details.si_signo = signals[which];
    timer->details.si_code = SI_KERNEL;
  }
  set_timer_of(ue, which, {to_picoseconds(value.it_value), to_picoseconds(value.it_interval)});
  return before;
}

/// True where as many handlers as anybody may count have run for a while, and all UEs are still in the calls
/// in which they were.
bool are_in_vain(Job& job, Picoseconds now, VainTimers& vain) {
  constexpr unsigned many = 20;
  constexpr Picoseconds long_time = 10 * picoseconds_per_second;
  Picoseconds calls = 0;
  unsigned handlers = 0;
  for (int rank = 0; rank < job.size(); ++rank) {
    calls += job.ue(rank).activity.since;
    handlers += own_handlers_run(job.ue(rank));
  }
  if (calls != vain.calls) vain = {calls, handlers, now};
  return handlers - vain.handlers >= many && now - vain.since >= long_time;
}

bool all_wait(Job& job) {
  const std::vector<bool> resting = job.engine().at_rest();
  return std::ranges::all_of(resting, std::identity());
}

bool is_interval(__itimer_which_t which) noexcept {
  return which == ITIMER_REAL || which == ITIMER_VIRTUAL || which == ITIMER_PROF;
}

bool is_time(const timeval& time) noexcept {
  return time.tv_sec >= 0 && time.tv_usec >= 0 && time.tv_usec <= 999'999;
}

} // namespace

process::Timers& timers_of(Ue& ue) {
  std::unique_ptr<process::Timers>& own = ue.process->c.alarm;
  if (!own) own = std::make_unique<process::Timers>();
  return *own;
}

TimerSetting timer_setting(const Ue& ue, const process::Timer& timer) {
  if (ue.engine->wall_clock()) return {host_alarm(timer), timer.period};
  if (timer.at == INT64_MAX) return {0, timer.period};
  const Picoseconds now = ue.core->now();
  if (timer.at > now) return {timer.at - now, timer.period};
  if (timer.period != 0) return {timer.period - (now - timer.at) % timer.period, timer.period};
  // It has gone off. If its signal is about to be raised, that is still to come.
  return {timer.signal == 0 || timer.waits ? 0 : picoseconds_per_nanosecond, 0};
}

void set_timer_of(Ue& ue, std::size_t place, const TimerSetting& wanted) {
  process::Timers& timers = timers_of(ue);
  process::Timer& timer = *timers.all[place];
  ue.clock = std::max(ue.clock, Ue::Clock::coarse);
  timers.end = std::max(timers.end, place + 1);
  timer.period = wanted.period;
  timer.waits = false;
  if (ue.engine->wall_clock()) return set_host_alarm(timer, static_cast<int>(place), wanted.left);
  timer.at = wanted.left == 0 ? INT64_MAX : ue.core->now() + wanted.left;
  ue.job->note_alarm();
  ue.engine->wake_progress_at(timer.at);
  limit_own_code(ue);
}

bool ring_alarm(Ue& ue) {
  if (ue.engine->wall_clock()) return run::deliver_pending(ue);
  const Picoseconds now = ue.core->now();
  const int error = errno;
  bool handled = run::deliver_pending(ue);
  for (process::Timer* timer = process::next_timer(ue); timer != nullptr && timer->at <= now;
       timer = process::next_timer(ue)) {
    timer->waits = true;
    limit_own_code(ue);
    const siginfo_t details = timer->details;
    handled = run::raise_in_ue(ue, timer->signal, &details) || handled;
  }
  errno = error;
  limit_own_code(ue);
  return handled;
}

void ring_alarm_in_call(Ue& ue) {
  const Activity activity = ue.activity;
  ue.activity = {};
  ring_alarm(ue);
  ue.activity = activity;
  ue.image->cycles_left = 0; // what is left behind the call is less: the first loop behind it asks
}

Picoseconds ring_sleepers(Job& job, Picoseconds time, Picoseconds& next, VainTimers& vain) {
  constexpr Picoseconds look_again = 100 * picoseconds_per_microsecond;
  Picoseconds first = time;
  for (int rank = 0; rank < job.size(); ++rank) {
    const Ue& ue = job.ue(rank);
    const bool sent = run::has_pending(ue);
    if (process::alarm_time(ue) == INT64_MAX && !sent) continue;
    const Picoseconds due = sent ? ue.core->now() : std::max(process::alarm_time(ue), ue.core->now());
    if (due > time && !sent)
      next = std::min(next, due);
    else if (!(are_in_vain(job, due, vain) && all_wait(job)) &&
             job.engine().interrupt_wait(ue.core->id(), due))
      first = std::min(first, due);
    else if (sent) // it acts, or is about to
      next = std::min(next, time + look_again);
  }
  return first;
}

bool ring_at_standstill(Job& job, VainTimers& vain) {
  const bool by_host = job.engine().wall_clock();
  const Ue* first = nullptr;
  Picoseconds at = INT64_MAX;
  for (int rank = 0; rank < job.size(); ++rank) {
    const Ue& ue = job.ue(rank);
    // In the host's time a UE that no handler goes on with is better told of the deadlock.
    if (process::alarm_time(ue) == INT64_MAX || (by_host && !run::expects_handler(ue))) continue;
    const Picoseconds due = std::max(process::alarm_time(ue), ue.core->now());
    if (first != nullptr && due >= at) continue;
    first = &ue;
    at = due;
  }
  if (first == nullptr || are_in_vain(job, at, vain)) return false;
  return by_host || job.engine().interrupt_wait(first->core->id(), at);
}

} // namespace rcce::libc

using namespace rcce;
using namespace rcce::libc;

extern "C" {

unsigned alarm(unsigned seconds) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"alarm", decltype(alarm)>()(seconds);
  const itimerval before = set(*ue, ITIMER_REAL, {{}, {static_cast<time_t>(seconds), 0}});
  return static_cast<unsigned>(before.it_value.tv_sec + (before.it_value.tv_usec > 0 ? 1 : 0));
}

useconds_t ualarm(useconds_t microseconds, useconds_t interval) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"ualarm", decltype(ualarm)>()(microseconds, interval);
  const itimerval before = set(*ue, ITIMER_REAL,
                               {to_timeval(interval * picoseconds_per_microsecond),
                                to_timeval(microseconds * picoseconds_per_microsecond)});
  return static_cast<useconds_t>(before.it_value.tv_sec * 1'000'000 + before.it_value.tv_usec);
}

int setitimer(__itimer_which_t which, const struct itimerval* value, struct itimerval* before) noexcept {
  Ue* ue = is_interval(which) ? calling_ue() : nullptr;
  if (ue == nullptr) return library_function<"setitimer", decltype(setitimer)>()(which, value, before);
  const itimerval wanted = value == nullptr ? itimerval{} : *value; // as the kernel has it
  if (!is_time(wanted.it_value) || !is_time(wanted.it_interval)) return failed(EINVAL);
  const itimerval old = set(*ue, which, wanted);
  if (before != nullptr) *before = old;
  return 0;
}

int getitimer(__itimer_which_t which, struct itimerval* value) noexcept {
  Ue* ue = is_interval(which) ? calling_ue() : nullptr;
  if (ue == nullptr) return library_function<"getitimer", decltype(getitimer)>()(which, value);
  *value = left(*ue, which);
  return 0;
}

} // extern "C"
