// SPDX-License-Identifier: Apache-2.0
// timer_create() and its kind: timers of the UE, whatever clock they name (alarm.hpp). A timer's number is
// its place behind those of setitimer(), and so the same in every run.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <sys/timerfd.h>
#include <unistd.h>

#include "process/libc/exports.hpp"
#include "process/libc/signals/alarm.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

/// The place of a timer of the UE, or that of none.
std::size_t place_of_timer(Ue& ue, timer_t timer) {
  const process::Timers& own = timers_of(ue);
  const std::size_t place = process::Timers::intervals + reinterpret_cast<std::uintptr_t>(timer);
  const bool there =
      place >= process::Timers::intervals && place < own.all.size() && own.all[place] != nullptr;
  return there ? place : own.all.size();
}

/// The calling UE's timer; null with errno set where it has none of that name.
process::Timer* own_timer(Ue& ue, timer_t timer) {
  const std::size_t place = place_of_timer(ue, timer);
  if (place < timers_of(ue).all.size()) return timers_of(ue).all[place].get();
  errno = EINVAL;
  return nullptr;
}

Picoseconds duration_of(const timespec& time) noexcept {
  return std::min<std::int64_t>(time.tv_sec, longest_seconds) * picoseconds_per_second +
      time.tv_nsec * picoseconds_per_nanosecond;
}

timespec duration_to(Picoseconds time) noexcept {
  return {time / picoseconds_per_second, time % picoseconds_per_second / picoseconds_per_nanosecond};
}

/// One that is on has not yet come to 0.
itimerspec to_itimerspec(const TimerSetting& setting) noexcept {
  return {duration_to(setting.period),
          duration_to(setting.left == 0 ? 0 : std::max(setting.left, picoseconds_per_nanosecond))};
}

bool is_duration(const timespec& time) noexcept {
  return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec <= 999'999'999;
}

/// How long it is until a clock shows `time`; never 0, because then the timer would be off.
Picoseconds until(const Ue& ue, clockid_t clock, timespec time) noexcept {
  time.tv_sec -= start_of_run(clock);
  if (time.tv_sec < 0) return picoseconds_per_nanosecond;
  return std::max(duration_of(time) - ue.core->now(), picoseconds_per_nanosecond);
}

int create_own(Ue& ue, clockid_t clock, const sigevent* event, timer_t* result) {
  timespec resolution{};
  if (clock_getres(clock, &resolution) != 0) return failed(EINVAL);
  if (event != nullptr && event->sigev_notify == SIGEV_THREAD) {
    return refuse(ue, "timer_create",
                  "SIGEV_THREAD: because a UE is one thread of execution, as its core was; use "
                  "SIGEV_SIGNAL with a handler, or sigwaitinfo()");
  }
  const bool own_thread =
      event != nullptr && event->sigev_notify == SIGEV_THREAD_ID && event->_sigev_un._tid == gettid();
  const bool silent = event != nullptr && event->sigev_notify == SIGEV_NONE;
  const int signal = event == nullptr ? SIGALRM : event->sigev_signo;
  if (event != nullptr && !silent && !own_thread && event->sigev_notify != SIGEV_SIGNAL)
    return failed(EINVAL);
  if (!silent && (signal < 1 || signal > process::Signals::highest)) return failed(EINVAL);
  process::Timers& own = timers_of(ue);
  auto* const free = std::find(own.all.begin() + process::Timers::intervals, own.all.end(), nullptr);
  if (free == own.all.end()) return failed(EAGAIN);
  const auto number = static_cast<int>(free - own.all.begin()) - static_cast<int>(process::Timers::intervals);
  auto timer = std::make_unique<process::Timer>();
  timer->clock = clock;
  timer->signal = silent ? 0 : signal;
  timer->details.si_signo = signal;
  timer->details.si_code = SI_TIMER;
  timer->details.si_timerid = number;
  if (event != nullptr)
    timer->details.si_value = event->sigev_value;
  else
    timer->details.si_value.sival_int = number;
  *free = std::move(timer);
  *result = reinterpret_cast<timer_t>(static_cast<std::uintptr_t>(number));
  return 0;
}

int set_own(Ue& ue, timer_t name, int flags, const itimerspec& value, itimerspec* before) {
  const process::Timer* const timer = own_timer(ue, name);
  if (timer == nullptr) return -1;
  if (!is_duration(value.it_value) || !is_duration(value.it_interval)) return failed(EINVAL);
  charge_own_code(ue);
  ue.core->schedule();
  if (before != nullptr) *before = to_itimerspec(timer_setting(ue, *timer));
  TimerSetting wanted{duration_of(value.it_value), duration_of(value.it_interval)};
  if (wanted.left != 0 && (flags & TIMER_ABSTIME) != 0) wanted.left = until(ue, timer->clock, value.it_value);
  set_timer_of(ue, place_of_timer(ue, name), wanted);
  return 0;
}

} // namespace

extern "C" {

int timer_create(clockid_t clock, struct sigevent* event, timer_t* result) noexcept {
  if (Ue* ue = calling_ue()) return create_own(*ue, clock, event, result);
  return library_function<"timer_create", decltype(timer_create)>()(clock, event, result);
}

int timer_settime(timer_t timer, int flags, const struct itimerspec* value,
                  struct itimerspec* before) noexcept {
  if (Ue* ue = calling_ue()) return set_own(*ue, timer, flags, *value, before);
  return library_function<"timer_settime", decltype(timer_settime)>()(timer, flags, value, before);
}

int timer_gettime(timer_t timer, struct itimerspec* result) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"timer_gettime", decltype(timer_gettime)>()(timer, result);
  const process::Timer* const own = own_timer(*ue, timer);
  if (own == nullptr) return -1;
  charge_own_code(*ue);
  *result = to_itimerspec(timer_setting(*ue, *own));
  return 0;
}

int timer_getoverrun(timer_t timer) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"timer_getoverrun", decltype(timer_getoverrun)>()(timer);
  const process::Timer* const own = own_timer(*ue, timer);
  return own == nullptr ? -1 : own->overruns;
}

int timer_delete(timer_t timer) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return library_function<"timer_delete", decltype(timer_delete)>()(timer);
  if (own_timer(*ue, timer) == nullptr) return -1;
  timers_of(*ue).all[place_of_timer(*ue, timer)].reset();
  return 0;
}

int timerfd_create(int clock, int flags) noexcept {
  if (Ue* ue = calling_ue()) {
    return refuse(*ue, "timerfd_create",
                  "because it would go by the host's clock; use timer_create(), or the time limit of poll()");
  }
  return library_function<"timerfd_create", decltype(timerfd_create)>()(clock, flags);
}

} // extern "C"
