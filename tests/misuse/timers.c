// SPDX-License-Identifier: Apache-2.0
// POSIX timers and setitimer() of a UE go by its own clock and reach nobody else. Rank 1 has none and hears
// nothing. argv[1]: "exact" instants in simulated time; "outside-calls": the
// engine cannot take a UE out of a call; "host": a tick comes no sooner, in the host's time.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "ue_check.h"

static volatile int ticks, last, told, overruns;
static int host;

static void tick(int number) {
  ++ticks;
  last = number;
}
static void tick_with_value(int number, siginfo_t* details, void* context) {
  (void)context;
  ++ticks;
  last = number;
  told = details->si_value.sival_int;
  overruns = details->si_overrun;
  CHECK_INT(details->si_code, SI_TIMER);
}

/// True if the UE's clock has come to `seconds` after `since`, and, where that can be said, not much further.
#define CHECK_TIME(since, seconds)                                                       \
  do {                                                                                   \
    const double passed = RCCE_wtime() - (since);                                        \
    CHECK(passed >= (seconds) && (host || passed < (seconds) + 1e-4), "%.6f s", passed); \
  } while (0)

/// Begins to count ticks. In the host's time they wait for await_tick(): one may come ahead of a pause().
static sigset_t ours, none;
static void begin(void) {
  const struct timespec at_once = {0, 0};
  if (host) sigprocmask(SIG_BLOCK, &ours, NULL);
  while (host && sigtimedwait(&ours, NULL, &at_once) > 0) {
  }
  ticks = 0;
}
static void await_tick(void) {
  CHECK_INT(host ? sigsuspend(&none) : pause(), -1);
  CHECK_INT(errno, EINTR);
}

static timer_t make(int number, int value) {
  struct sigevent event;
  timer_t timer;
  memset(&event, 0, sizeof event);
  event.sigev_notify = number == 0 ? SIGEV_NONE : SIGEV_SIGNAL;
  event.sigev_signo = number;
  event.sigev_value.sival_int = value;
  CHECK_INT(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
  return timer;
}
static void set(timer_t timer, long first_us, long period_us) {
  const struct itimerspec when = {{period_us / 1000000, period_us % 1000000 * 1000},
                                  {first_us / 1000000, first_us % 1000000 * 1000}};
  CHECK_INT(timer_settime(timer, 0, &when, NULL), 0);
}
static double left(timer_t timer) {
  struct itimerspec now;
  CHECK_INT(timer_gettime(timer, &now), 0);
  return (double)now.it_value.tv_sec + 1e-9 * (double)now.it_value.tv_nsec;
}

static void test_pause(void) {
  signal(SIGRTMIN, tick);
  const timer_t timer = make(SIGRTMIN, 0);
  const double start = RCCE_wtime();
  begin();
  set(timer, 10000, 0);
  await_tick();
  CHECK_INT(ticks, 1);
  CHECK_TIME(start, 0.01);
  CHECK(left(timer) == 0, "%g s left", left(timer));
  CHECK_INT(timer_delete(timer), 0);
}

/// Several at a time, with what each tells, once and again.
static void test_several(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = tick_with_value;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGRTMIN + 1, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  const timer_t often = make(SIGRTMIN + 1, 100 + RCCE_ue()), once = make(SIGUSR1, 200 + RCCE_ue());
  const double start = RCCE_wtime();
  begin();
  set(often, 20000, 20000);
  set(once, 50000, 0);
  for (int i = 1; i <= 4; ++i) {
    await_tick();
    if (host) { // where several may have come meanwhile
      CHECK_INT(told, (last == SIGUSR1 ? 200 : 100) + RCCE_ue());
      continue;
    }
    CHECK_INT(last, i == 3 ? SIGUSR1 : SIGRTMIN + 1);
    CHECK_INT(told, (i == 3 ? 200 : 100) + RCCE_ue());
    CHECK_TIME(start, i < 3 ? 0.02 * i : 0.02 + 0.01 * i);
  }
  CHECK(left(often) > 0 && left(often) < 0.0201, "%g s left", left(often));
  CHECK_INT(timer_delete(often), 0);
  begin();
  CHECK_INT(usleep(50000), 0);
  CHECK_INT(ticks, 0);
  CHECK_INT(timer_delete(once), 0);
}

/// At an instant of a clock; one that is over comes at once.
static void test_absolute(void) {
  for (int i = 0; i < 2; ++i) {
    const clockid_t clock = i == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    struct sigevent event;
    struct itimerspec when;
    timer_t timer;
    memset(&event, 0, sizeof event);
    memset(&when, 0, sizeof when);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN;
    CHECK_INT(timer_create(clock, &event, &timer), 0);
    const double start = RCCE_wtime();
    clock_gettime(clock, &when.it_value);
    when.it_value.tv_sec += 1;
    begin();
    timer_settime(timer, TIMER_ABSTIME, &when, NULL);
    await_tick();
    CHECK_INT(ticks, 1);
    CHECK_TIME(start, 1);
    when.it_value.tv_sec = 1;
    when.it_value.tv_nsec = 0;
    timer_settime(timer, TIMER_ABSTIME, &when, NULL);
    await_tick();
    CHECK_INT(ticks, 2);
    timer_delete(timer);
  }
}

/// One signal stands for several ticks; two timers of one signal have one each.
static void test_overruns(void) {
  sigset_t set_of_one, before;
  siginfo_t details;
  const struct timespec soon = {0, 1000000};
  sigemptyset(&set_of_one);
  sigaddset(&set_of_one, SIGRTMIN + 1);
  sigprocmask(SIG_BLOCK, &set_of_one, &before);
  const timer_t often = make(SIGRTMIN + 1, 1), once = make(SIGRTMIN + 1, 2);
  begin();
  set(often, 10000, 10000);
  set(once, 15000, 0);
  usleep(105000);
  CHECK_INT(ticks, 0);
  CHECK_INT(sigwaitinfo(&set_of_one, &details), SIGRTMIN + 1);
  CHECK_INT(details.si_value.sival_int, 1);
  CHECK(details.si_overrun == 9 || (host && details.si_overrun > 0), "%d ticks more", details.si_overrun);
  const int told_then = details.si_overrun, told_now = timer_getoverrun(often);
  CHECK(told_now == told_then || host, "%d ticks more, now %d", told_then, told_now);
  timer_delete(often);
  CHECK_INT(sigwaitinfo(&set_of_one, &details), SIGRTMIN + 1);
  CHECK_INT(details.si_value.sival_int, 2);
  CHECK_INT(timer_getoverrun(once), 0);
  /* In the host's time the next tick may have come before its timer was deleted. */
  const int more = sigtimedwait(&set_of_one, NULL, &soon);
  CHECK(more == -1 || (host && more == SIGRTMIN + 1), "signal %d", more);
  sigprocmask(SIG_SETMASK, &before, NULL);
  timer_delete(once);
  CHECK_INT(ticks, 0);
}

/// A late one is told when the UE asks for the time: it has computed meanwhile.
static void test_late(void) {
  const timer_t often = make(SIGRTMIN + 1, 5);
  ticks = 0;
  set(often, 1000, 1000);
  rcce_compute(533 * 5500);
  RCCE_wtime();
  CHECK(ticks == 1 || host, "%d ticks", ticks);
  CHECK(overruns >= 3 || host, "%d more", overruns);
  timer_delete(often);
}

static void test_silent(void) {
  const timer_t timer = make(0, 0);
  set(timer, 30000, 0);
  const double rest = left(timer); /* the host may have run others since it was set */
  CHECK((rest > 0.029 || host) && rest < 0.0301, "%g s left", rest);
  CHECK_INT(usleep(40000), 0);
  CHECK(left(timer) == 0, "%g s left", left(timer));
  set(timer, 30000, 20000);
  usleep(40000);
  CHECK(host || (left(timer) > 0.009 && left(timer) < 0.0101), "%g s left", left(timer));
  timer_delete(timer);
}

/// The intervals of setitimer(), all of them by the UE's clock.
static void test_intervals(void) {
  const struct itimerval when = {{0, 0}, {0, 10000}};
  const int which[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}, number[] = {SIGALRM, SIGVTALRM, SIGPROF};
  for (int i = 0; i < 3; ++i) {
    signal(number[i], tick);
    const double start = RCCE_wtime();
    begin();
    CHECK_INT(setitimer(which[i], &when, NULL), 0);
    await_tick();
    CHECK_INT(ticks, 1);
    CHECK_INT(last, number[i]);
    CHECK_TIME(start, 0.01);
  }
}

static void test_errors(void) {
  struct sigevent event;
  struct itimerspec when;
  timer_t timer = make(SIGRTMIN, 0);
  memset(&event, 0, sizeof event);
  memset(&when, 0, sizeof when);
  CHECK_INT(timer_delete(timer), 0);
  errno = 0;
  CHECK_INT(timer_settime(timer, 0, &when, NULL), -1);
  CHECK_INT(errno, EINVAL);
  CHECK_INT(timer_getoverrun(timer), -1);
  CHECK_INT(timer_delete(timer), -1);
  CHECK_INT(timer_create(12345, NULL, &timer), -1);
  CHECK_INT(errno, EINVAL);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = 65;
  CHECK_INT(timer_create(CLOCK_REALTIME, &event, &timer), -1);
  CHECK_INT(errno, EINVAL);
  CHECK_INT(timer_create(CLOCK_REALTIME, NULL, &timer), 0);
  when.it_value.tv_nsec = 1000000000;
  CHECK_INT(timer_settime(timer, 0, &when, NULL), -1);
  CHECK_INT(errno, EINVAL);
  timer_delete(timer);
  event.sigev_notify = SIGEV_THREAD;
  CHECK_INT(timer_create(CLOCK_REALTIME, &event, &timer), -1);
  CHECK_INT(errno, ENOSYS);
  CHECK_INT(timerfd_create(CLOCK_MONOTONIC, 0), -1);
  CHECK_INT(errno, ENOSYS);
}

/// While the UE waits for another.
static void test_in_call(void) {
  char byte = 1;
  if (RCCE_ue() == 0) {
    const timer_t often = make(SIGRTMIN, 0);
    signal(SIGRTMIN, tick);
    ticks = 0;
    set(often, 10000, 10000);
    RCCE_recv(&byte, 1, 1);
    CHECK(ticks == 5 || host, "%d ticks", ticks);
    timer_delete(often);
  } else if (RCCE_ue() == 1) {
    usleep(55000);
    RCCE_send(&byte, 1, 0);
  }
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  host = !strcmp(argv[1], "host");
  sigemptyset(&none);
  sigemptyset(&ours);
  for (int i = 0; i < 6; ++i)
    sigaddset(&ours, (const int[]){SIGRTMIN, SIGRTMIN + 1, SIGUSR1, SIGALRM, SIGVTALRM, SIGPROF}[i]);
  if (RCCE_ue() == 1) {
    signal(SIGRTMIN, tick);
    signal(SIGRTMIN + 1, tick);
    signal(SIGUSR1, tick);
    CHECK_INT(sleep(2), 0);
  } else {
    test_pause();
    test_several();
    test_absolute();
    test_overruns();
    test_late();
    test_silent();
    test_intervals();
    test_errors();
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (strcmp(argv[1], "outside-calls") != 0) test_in_call();
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 1) CHECK_INT(ticks, 0);
  return check_end();
}
