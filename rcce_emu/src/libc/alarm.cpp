// SPDX-License-Identifier: Apache-2.0
// The one alarm that a UE has. In simulated time it goes off by the clock of the UE's core: in a sleep,
// pause() or wait at its instant, else at the first query of the time or call of the library that begins
// after it. In the host's time it is a timer of the host's that signals the UE's thread (host_alarm.cpp).
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <sys/time.h>
#include <unistd.h>

#include "libc/alarm.hpp"
#include "libc/exports.hpp"
#include "libc/host_alarm.hpp"
#include "run/own_signals.hpp"
#include "ue/job_state.hpp"

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

/// What is left until the alarm, and how often it comes.
itimerval left(const Ue& ue) noexcept {
  if (ue.engine->wall_clock()) return host_alarm(ue);
  const process::Alarm* alarm = ue.process->c.alarm.get();
  if (alarm == nullptr || alarm->at == INT64_MAX) return {};
  return {to_timeval(alarm->period),
          to_timeval(std::max(alarm->at - ue.core->now(), picoseconds_per_microsecond))};
}

void limit_own_code(Ue& ue);

itimerval set(Ue& ue, const itimerval& value) {
  if (ue.engine->wall_clock()) return set_host_alarm(ue, value);
  const Picoseconds after = to_picoseconds(value.it_value);
  charge_own_code(ue);
  ue.core->schedule();
  const itimerval before = left(ue);
  CLibrary& c = ue.process->c;
  if (c.alarm == nullptr) c.alarm = std::make_unique<process::Alarm>();
  c.alarm->at = after == 0 ? INT64_MAX : ue.core->now() + after;
  c.alarm->period = to_picoseconds(value.it_interval);
  ue.job->note_alarm();
  ue.engine->wake_progress_at(c.alarm->at);
  limit_own_code(ue);
  return before;
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

} // namespace

bool ring_alarm(Ue& ue) {
  if (ue.engine->wall_clock()) return false;
  if (ue.core->now() < process::alarm_time(ue)) {
    limit_own_code(ue);
    return false;
  }
  process::Alarm& alarm = *ue.process->c.alarm;
  alarm.at = alarm.period == 0 ? INT64_MAX : ue.core->now() + alarm.period;
  ue.engine->wake_progress_at(alarm.at);
  limit_own_code(ue);
  const int error = errno;
  const bool handled = run::raise_in_ue(ue, SIGALRM);
  errno = error;
  return handled;
}

void ring_alarm_in_call(Ue& ue) {
  const Activity activity = ue.activity;
  ue.activity = {};
  ring_alarm(ue);
  ue.activity = activity;
  ue.image->cycles_left = 0; // what is left behind the call is less: the first loop behind it asks
}

Picoseconds ring_sleepers(Job& job, Picoseconds time, Picoseconds& next) {
  Picoseconds first = time;
  for (int rank = 0; rank < job.size(); ++rank) {
    const Ue& ue = job.ue(rank);
    if (process::alarm_time(ue) == INT64_MAX) continue;
    const Picoseconds due = std::max(process::alarm_time(ue), ue.core->now());
    if (due > time)
      next = std::min(next, due);
    else if (job.engine().interrupt_wait(ue.core->id(), due))
      first = std::min(first, due);
  }
  return first;
}

} // namespace rcce::libc

using namespace rcce;
using namespace rcce::libc;

extern "C" {

unsigned alarm(unsigned seconds) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) {
    static auto* const real = real_function<unsigned(unsigned)>("alarm");
    return real(seconds);
  }
  const itimerval before = set(*ue, {{}, {static_cast<time_t>(seconds), 0}});
  return static_cast<unsigned>(before.it_value.tv_sec + (before.it_value.tv_usec > 0 ? 1 : 0));
}

useconds_t ualarm(useconds_t microseconds, useconds_t interval) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) {
    static auto* const real = real_function<useconds_t(useconds_t, useconds_t)>("ualarm");
    return real(microseconds, interval);
  }
  const itimerval before = set(*ue,
                               {to_timeval(interval * picoseconds_per_microsecond),
                                to_timeval(microseconds * picoseconds_per_microsecond)});
  return static_cast<useconds_t>(before.it_value.tv_sec * 1'000'000 + before.it_value.tv_usec);
}

int setitimer(__itimer_which_t which, const struct itimerval* value, struct itimerval* before) noexcept {
  Ue* ue = which == ITIMER_REAL && value != nullptr ? calling_ue() : nullptr;
  if (ue == nullptr) {
    static auto* const real =
        real_function<int(__itimer_which_t, const struct itimerval*, struct itimerval*)>("setitimer");
    return real(which, value, before);
  }
  const auto wrong = [](const timeval& time) {
    return time.tv_sec < 0 || time.tv_usec < 0 || time.tv_usec > 999'999;
  };
  if (wrong(value->it_value) || wrong(value->it_interval)) {
    errno = EINVAL;
    return -1;
  }
  const itimerval old = set(*ue, *value);
  if (before != nullptr) *before = old;
  return 0;
}

int getitimer(__itimer_which_t which, struct itimerval* value) noexcept {
  Ue* ue = which == ITIMER_REAL ? calling_ue() : nullptr;
  if (ue == nullptr) {
    static auto* const real = real_function<int(__itimer_which_t, struct itimerval*)>("getitimer");
    return real(which, value);
  }
  *value = left(*ue);
  return 0;
}

} // extern "C"
