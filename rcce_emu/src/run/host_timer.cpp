// SPDX-License-Identifier: Apache-2.0
#include "run/host_timer.hpp"

#include <algorithm>
#include <csignal>

namespace rcce::run {

int tick_signal() noexcept {
  return SIGRTMAX - 3;
}

timer_t make_timer(clockid_t clock, pid_t thread) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = tick_signal();
  event._sigev_un._tid = thread;
  timer_t timer{};
  if (timer_create(clock, &event, &timer) != 0) timer_create(CLOCK_MONOTONIC, &event, &timer);
  return timer;
}

void set_timer(timer_t timer, std::int64_t nanoseconds, std::int64_t period) noexcept {
  nanoseconds = std::max<std::int64_t>(nanoseconds, 1);
  itimerspec when{};
  when.it_value = {nanoseconds / second, nanoseconds % second};
  when.it_interval = {period / second, period % second};
  timer_settime(timer, 0, &when, nullptr);
}

} // namespace rcce::run
