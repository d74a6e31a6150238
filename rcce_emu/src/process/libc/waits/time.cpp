// SPDX-License-Identifier: Apache-2.0
// Time as a UE sees it: its core's simulated clock. Queries are scheduling points and cost core cycles, so
// that a program that waits for an instant in a loop gets there; sleeping advances the core's clock. Nothing
// of it depends on the host's clocks.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <dlfcn.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <threads.h>
#include <unistd.h>

#include "process/libc/exports.hpp"
#include "process/libc/signals/alarm.hpp"
#include "process/libc/signals/host_alarm.hpp"
#include "process/libc/waits/host_wait.hpp"
#include "process/libc/waits/time.hpp"

extern "C" void __asan_init() __attribute__((weak));

using namespace rcce;
using namespace rcce::libc;

namespace {

/// Calendar time at the start of every run, in seconds since 1970: 2010-01-01 00:00:00 UTC, the year in which
/// the chip was handed to its users. Fixed, so that what a program derives from the date is the same in every
/// run.
constexpr std::int64_t start_of_run_seconds = 1'262'304'000;

/// Core cycles that a time query costs. An estimate of a system call of Linux 2.6 on a P54C.
constexpr Cycles query_cycles = 500;

/// The core's clock when the query returns. `unit` and `epoch_seconds`: what it is told in, for
/// lead_on_clock_polls().
Picoseconds query_time(Ue& ue, Picoseconds unit = picoseconds_per_second, std::int64_t epoch_seconds = 0,
                       Ue::Clock clock = Ue::Clock::fine) {
  ue.clock = std::max(ue.clock, clock);
  charge_own_code(ue);
  ue.core->compute(query_cycles);
  lead_on_clock_polls(ue, static_cast<double>(unit), static_cast<double>(epoch_seconds));
  ue.core->schedule();
  ring_alarm(ue);
  return ue.core->now();
}

timespec to_timespec(Picoseconds time, std::int64_t epoch_seconds) noexcept {
  return {epoch_seconds + time / picoseconds_per_second, time % picoseconds_per_second / 1000};
}

timeval to_timeval(Picoseconds time, std::int64_t epoch_seconds) noexcept {
  return {epoch_seconds + time / picoseconds_per_second, time % picoseconds_per_second / 1'000'000};
}

/// Advances the core's clock to `end`, or past it by less than one cycle.
void sleep_until(Ue& ue, Picoseconds end) {
  if (ue.engine->wall_clock()) return ue.core->sleep_until(end);
  while (ue.core->now() < end) {
    const double cycles = static_cast<double>(end - ue.core->now()) / ue.engine->cycle_of(ue.core->id());
    ue.core->compute(std::max<Cycles>(1, static_cast<Cycles>(cycles)));
  }
  ue.core->schedule();
}

/// In the host's time: a timer that has called a handler is noticed after a step.
Picoseconds sleep_in_steps(Ue& ue, Picoseconds end) {
  constexpr Picoseconds step = picoseconds_per_second / 50;
  const unsigned handled = own_handlers_run(ue);
  for (Picoseconds now = ue.core->now(); now < end; now = ue.core->now()) {
    ue.core->sleep_until(std::min(end, now + step));
    if (own_handlers_run(ue) != handled) return std::max<Picoseconds>(end - ue.core->now(), 1);
  }
  return 0;
}

/// Returns what is left of the time where the handler of a timer has ended the sleep, else 0.
Picoseconds sleep_for(Ue& ue, std::int64_t seconds, std::int64_t nanoseconds) {
  charge_own_code(ue);
  const Picoseconds duration =
      std::min(seconds, longest_seconds) * picoseconds_per_second + nanoseconds * 1000;
  const Picoseconds end = ue.core->now() + duration;
  if (ue.engine->wall_clock()) return sleep_in_steps(ue, end);
  while (process::alarm_time(ue) < end) {
    sleep_until(ue, process::alarm_time(ue));
    if (ring_alarm(ue)) return std::max<Picoseconds>(end - ue.core->now(), 1);
  }
  const Picoseconds last = last_instant(ue.engine->cores());
  sleep_until(ue, std::min(end, last));
  if (end > last) end_of_time(ue, "sleep()"); // the others have come to it, too
  passed(ue);
  return 0;
}

/// True if the caller is the address checker's own code, which asks for the time while it holds locks.
bool is_checker(const void* caller) noexcept {
  if (__asan_init == nullptr) return false;
  Dl_info checker{}, calling{};
  return dladdr(reinterpret_cast<const void*>(&__asan_init), &checker) != 0 &&
      dladdr(caller, &calling) != 0 && checker.dli_fbase == calling.dli_fbase;
}

} // namespace

void rcce::libc::lead_on_clock_polls(Ue& ue, double unit, double begin) {
  ClockPolls& polls = ue.clock_polls;
  const Picoseconds now = ue.core->now();
  const std::uint32_t calls = ue.calls.load(std::memory_order_relaxed);
  const Picoseconds round = now - polls.last;
  const bool again = polls.calls + 1 == calls && polls.round == round && round > 0;
  polls = {calls, now, round};
  if (!again || ue.image->waits_until == 0 || ue.engine->wall_clock()) return;
  // What the program compares is rounded: it sees the instant itself, in its last rounds.
  constexpr double seen = 3;
  const double left = (ue.image->waits_until - begin) * unit - static_cast<double>(now);
  const Picoseconds most = std::min(process::alarm_time(ue), last_instant(ue.engine->cores())) - now;
  const double rounds = std::min(left / static_cast<double>(round) - seen,
                                 static_cast<double>(most) / static_cast<double>(round));
  if (!(rounds >= 1)) return;
  const Picoseconds further = static_cast<Picoseconds>(rounds) * round;
  ue.core->sleep_until(now + further);
  ue.own_time += further;
  polls.last = ue.core->now();
}

std::int64_t rcce::libc::start_of_run(clockid_t clock) noexcept {
  // Every other clock began with the run: monotonic ones, and those of CPU time, because a core has but one
  // UE.
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM ||
          clock == CLOCK_TAI
      ? start_of_run_seconds
      : 0;
}

int rcce::libc::sleep_in_call(Ue& ue, std::int64_t nanoseconds) {
  constexpr std::int64_t one = 1'000'000'000;
  return sleep_for(ue, nanoseconds / one, nanoseconds % one) == 0 ? 0 : failed(EINTR);
}

extern "C" {

// By its symbol: the C library's header says that `result` is never null, so a test of it would be left out.
int rockcreek_gettimeofday(struct timeval* result, void* zone) __asm__("gettimeofday");
int rockcreek_gettimeofday(struct timeval* result, void* zone) {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"gettimeofday", decltype(gettimeofday)>()(result, zone);
  const timeval now =
      to_timeval(query_time(*ue, picoseconds_per_second, start_of_run_seconds), start_of_run_seconds);
  if (result != nullptr) *result = now;
  if (zone != nullptr) *static_cast<struct timezone*>(zone) = {};
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec* result) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr || is_checker(__builtin_return_address(0)))
    return library_function<"clock_gettime", decltype(clock_gettime)>()(clock, result);
  // A number that is no clock's is refused by the system as well.
  if (clock_getres(clock, nullptr) != 0) return -1;
  const std::int64_t epoch = start_of_run(clock);
  *result = to_timespec(query_time(*ue, picoseconds_per_second, epoch), epoch);
  return 0;
}

int timespec_get(struct timespec* result, int base) noexcept {
  if (calling_ue() == nullptr)
    return library_function<"timespec_get", decltype(timespec_get)>()(result, base);
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, result) == 0 ? base : 0;
}

// By its symbol: the C library's headers call it outdated.
int rockcreek_ftime(struct timeb* result) __asm__("ftime");
int rockcreek_ftime(struct timeb* result) {
  static auto* const real = real_function<int(struct timeb*)>("ftime");
  if (calling_ue() == nullptr) return real == nullptr ? -1 : real(result);
  timeval now{};
  gettimeofday(&now, nullptr);
  *result = {now.tv_sec, static_cast<unsigned short>(now.tv_usec / 1000), 0, 0};
  return 0;
}

time_t time(time_t* result) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"time", decltype(time)>()(result);
  const time_t now =
      to_timespec(query_time(*ue, picoseconds_per_second, 0, Ue::Clock::coarse), start_of_run_seconds).tv_sec;
  if (result != nullptr) *result = now;
  return now;
}

clock_t clock() noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"clock", decltype(clock)>()();
  constexpr Picoseconds unit = picoseconds_per_second / CLOCKS_PER_SEC;
  return query_time(*ue, unit) / unit;
}

clock_t times(struct tms* result) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"times", decltype(times)>()(result);
  const clock_t now = query_time(*ue) / (picoseconds_per_second / sysconf(_SC_CLK_TCK));
  if (result != nullptr) *result = {now, 0, 0, 0};
  return now;
}

int getrusage(__rusage_who_t who, struct rusage* usage) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"getrusage", decltype(getrusage)>()(who, usage);
  if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD) return failed(EINVAL);
  *usage = {};
  if (who != RUSAGE_CHILDREN) usage->ru_utime = to_timeval(query_time(*ue), 0);
  return 0;
}

unsigned sleep(unsigned seconds) {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"sleep", decltype(sleep)>()(seconds);
  const Picoseconds rest = sleep_for(*ue, seconds, 0);
  return static_cast<unsigned>((rest + picoseconds_per_second - 1) / picoseconds_per_second);
}

int usleep(useconds_t microseconds) {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"usleep", decltype(usleep)>()(microseconds);
  return sleep_for(*ue, 0, std::int64_t{microseconds} * 1000) == 0 ? 0 : failed(EINTR);
}

int nanosleep(const struct timespec* duration, struct timespec* rest) {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"nanosleep", decltype(nanosleep)>()(duration, rest);
  if (duration->tv_sec < 0 || duration->tv_nsec < 0 || duration->tv_nsec > 999'999'999) return failed(EINVAL);
  const Picoseconds left = sleep_for(*ue, duration->tv_sec, duration->tv_nsec);
  if (rest != nullptr) *rest = to_timespec(left, 0);
  return left == 0 ? 0 : failed(EINTR);
}

int thrd_sleep(const struct timespec* duration, struct timespec* rest) {
  if (calling_ue() == nullptr) return library_function<"thrd_sleep", decltype(thrd_sleep)>()(duration, rest);
  return nanosleep(duration, rest) == 0 ? 0 : errno == EINTR ? -1 : -2;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec* time, struct timespec* rest) {
  Ue* ue = calling_ue();
  if (ue == nullptr)
    return library_function<"clock_nanosleep", decltype(clock_nanosleep)>()(clock, flags, time, rest);
  // As the system does.
  if (clock == CLOCK_THREAD_CPUTIME_ID || clock_getres(clock, nullptr) != 0) return EINVAL;
  if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec > 999'999'999) return EINVAL;
  if ((flags & TIMER_ABSTIME) == 0) {
    const Picoseconds left = sleep_for(*ue, time->tv_sec, time->tv_nsec);
    if (left == 0) return 0;
    if (rest != nullptr) *rest = to_timespec(left, 0);
    return EINTR;
  } else {
    charge_own_code(*ue);
    const timespec now = to_timespec(ue->core->now(), start_of_run(clock));
    if (time->tv_sec > now.tv_sec || (time->tv_sec == now.tv_sec && time->tv_nsec > now.tv_nsec))
      return sleep_for(*ue, time->tv_sec - now.tv_sec - (time->tv_nsec < now.tv_nsec ? 1 : 0),
                       time->tv_nsec - now.tv_nsec + (time->tv_nsec < now.tv_nsec ? 1'000'000'000 : 0)) == 0
          ? 0
          : EINTR;
  }
  return 0;
}

int sched_yield() noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"sched_yield", decltype(sched_yield)>()();
  ue->library->looked_at_memory(1);
  return 0;
}

} // extern "C"
