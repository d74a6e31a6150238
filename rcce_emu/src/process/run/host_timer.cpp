// SPDX-License-Identifier: Apache-2.0
#include "process/run/host_timer.hpp"

#include <algorithm>
#include <csignal>

#include "engine/host/real.hpp"

// The C library's own: the functions of these names are the runtime's, and act on the calling UE.
namespace rcce::run {
namespace {

int real_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  return host::library_function<"timer_create", int(clockid_t, sigevent*, timer_t*)>()(clock, event, timer);
}
void real_set(timer_t timer, const itimerspec& when) noexcept {
  host::library_function<"timer_settime", int(timer_t, int, const itimerspec*, itimerspec*)>()(
      timer, 0, &when, nullptr);
}

} // namespace

int tick_signal() noexcept {
  return SIGRTMAX - 3;
}

timer_t make_timer(clockid_t clock, pid_t thread, int signal, int value) {
  sigevent event{};
  event.sigev_notify = signal == 0 ? SIGEV_NONE : SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event.sigev_value.sival_int = value;
  event._sigev_un._tid = thread;
  timer_t timer{};
  if (real_create(clock, &event, &timer) != 0) real_create(CLOCK_MONOTONIC, &event, &timer);
  return timer;
}

void set_timer(timer_t timer, std::int64_t nanoseconds, std::int64_t period) noexcept {
  nanoseconds = std::max<std::int64_t>(nanoseconds, 1);
  real_set(timer, {{period / second, period % second}, {nanoseconds / second, nanoseconds % second}});
}

void stop_timer(timer_t timer) noexcept {
  real_set(timer, {});
}

std::int64_t nanoseconds_left(timer_t timer) noexcept {
  itimerspec left{};
  host::library_function<"timer_gettime", int(timer_t, itimerspec*)>()(timer, &left);
  return left.it_value.tv_sec * second + left.it_value.tv_nsec;
}

void delete_timer(timer_t timer) noexcept {
  host::library_function<"timer_delete", int(timer_t)>()(timer);
}

} // namespace rcce::run
