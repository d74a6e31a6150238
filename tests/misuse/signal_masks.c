// SPDX-License-Identifier: Apache-2.0
// Every UE has a mask of signals of its own: what one blocks reaches the others, what is blocked waits, and
// handlers, waits and jumps keep the mask as in a process.
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ue_check.h"

static volatile int hits, last, inside_blocked;

static void handler(int number) {
  ++hits;
  last = number;
}

static int is_blocked(int number) {
  sigset_t now;
  CHECK_INT(sigprocmask(SIG_BLOCK, NULL, &now), 0);
  return sigismember(&now, number);
}
static int is_pending(int number) {
  sigset_t now;
  CHECK_INT(sigpending(&now), 0);
  return sigismember(&now, number);
}

static void test_mask_of_ue(void) {
  sigset_t all, before;
  sigfillset(&all);
  signal(SIGUSR1, handler);
  if (RCCE_ue() == 0) CHECK_INT(sigprocmask(SIG_BLOCK, &all, &before), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(is_blocked(SIGUSR1), RCCE_ue() == 0);
  CHECK_INT(is_blocked(SIGKILL), 0);
  hits = 0;
  raise(SIGUSR1);
  kill(getpid(), SIGUSR1);
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(hits, RCCE_ue() == 0 ? 0 : 2);
  CHECK_INT(is_pending(SIGUSR1), RCCE_ue() == 0);
  if (RCCE_ue() == 0) CHECK_INT(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
  CHECK_INT(hits, RCCE_ue() == 0 ? 1 : 2); // once however often it has come
  CHECK_INT(is_pending(SIGUSR1), 0);
  CHECK_INT(pthread_sigmask(77, &all, NULL), EINVAL);
}

static void nested(int number) {
  inside_blocked = is_blocked(SIGUSR1) + 2 * is_blocked(SIGUSR2) + 4 * is_blocked(SIGHUP);
  raise(SIGUSR2);
  CHECK_INT(hits, 0);
  last = number;
}

static void test_handlers(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = nested;
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &action, NULL);
  signal(SIGUSR2, handler);
  hits = 0;
  raise(SIGUSR1);
  CHECK_INT(inside_blocked, 3);
  CHECK_INT(hits, 1); // behind the handler that has blocked it
  CHECK_INT(is_blocked(SIGUSR1) + is_blocked(SIGUSR2), 0);
  action.sa_handler = handler;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  sigaction(SIGUSR1, NULL, &action);
  CHECK(action.sa_handler == SIG_DFL, "the handler is still there");
}

static sigjmp_buf out;
static void jump(int number) {
  siglongjmp(out, number);
}

static void test_jumps(void) {
  signal(SIGUSR1, jump);
  for (volatile int i = 0; i < 3; ++i) {
    if (sigsetjmp(out, 1) == 0) {
      raise(SIGUSR1);
      CHECK(0, "raise() has returned");
    }
    CHECK_INT(is_blocked(SIGUSR1), 0);
  }
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGTERM);
  sigprocmask(SIG_BLOCK, &one, NULL);
  if (sigsetjmp(out, 0) == 0) {
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    siglongjmp(out, 1);
  }
  CHECK_INT(is_blocked(SIGTERM), 0); // not kept
}

static void test_waits(void) {
  sigset_t set, none;
  siginfo_t details;
  int number = 0;
  sigemptyset(&none);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  union sigval value = {.sival_int = 41 + RCCE_ue()};
  sigqueue(getpid(), SIGUSR1, value);
  CHECK_INT(sigwaitinfo(&set, &details), SIGUSR1);
  CHECK_INT(details.si_value.sival_int, 41 + RCCE_ue());
  const struct timespec soon = {0, 20000000};
  errno = 0;
  CHECK_INT(sigtimedwait(&set, NULL, &soon), -1);
  CHECK_INT(errno, EAGAIN);
  raise(SIGUSR1);
  CHECK_INT(sigwait(&set, &number), 0);
  CHECK_INT(number, SIGUSR1);
  signal(SIGUSR1, handler);
  hits = 0;
  raise(SIGUSR1);
  CHECK_INT(hits, 0);
  CHECK_INT(sigsuspend(&none), -1);
  CHECK_INT(hits, 1);
  CHECK_INT(is_blocked(SIGUSR1), 1);
}

/// An alarm that is blocked ends no sleep, and is waited for.
static void test_alarm(void) {
  sigset_t set;
  int number = 0;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  signal(SIGALRM, handler);
  sigprocmask(SIG_BLOCK, &set, NULL);
  hits = 0;
  ualarm(20000, 0);
  CHECK_INT(usleep(50000), 0);
  CHECK_INT(is_pending(SIGALRM), 1);
  CHECK_INT(sigwait(&set, &number), 0);
  CHECK_INT(number, SIGALRM);
  ualarm(20000, 0);
  CHECK_INT(sigwait(&set, &number), 0);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  CHECK_INT(hits, 0);
}

/// Signals from outside: a child of rank 0 sends them.
static void test_outside(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  if (RCCE_ue() == 0) {
    signal(SIGCHLD, handler);
    sigprocmask(SIG_BLOCK, &set, NULL);
    hits = 0;
    FILE* pipe = popen("exit 0", "r");
    while (fgetc(pipe) != EOF) {
    }
    siginfo_t details;
    CHECK_INT(sigwaitinfo(&set, &details), SIGCHLD);
    pclose(pipe);
    CHECK_INT(hits, 0);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(SIGCHLD);
    CHECK_INT(hits, 1);
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGRTMIN, handler);
    kill(getpid(), SIGRTMIN);
    CHECK_INT(sigwaitinfo(&set, &details), SIGRTMIN);
    CHECK_INT(hits, 1);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
}

/// By the names of older standards.
static void test_old_names(void) {
  CHECK_INT(sighold(SIGUSR2), 0);
  CHECK_INT(is_blocked(SIGUSR2), 1);
  CHECK_INT(sigrelse(SIGUSR2), 0);
  CHECK(sigset(SIGUSR2, SIG_HOLD) != SIG_ERR, "sigset");
  CHECK_INT(is_blocked(SIGUSR2), 1);
  CHECK(sigset(SIGUSR2, SIG_IGN) == SIG_HOLD, "sigset again");
  CHECK_INT(is_blocked(SIGUSR2), 0);
  stack_t stack = {.ss_sp = malloc(SIGSTKSZ), .ss_size = SIGSTKSZ}, now;
  CHECK_INT(sigaltstack(NULL, &now), 0);
  CHECK_INT(now.ss_flags, SS_DISABLE);
  CHECK_INT(sigaltstack(&stack, NULL), 0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(sigaltstack(NULL, &now), 0);
  CHECK(now.ss_sp == stack.ss_sp, "the stack of another UE");
}

static volatile int sent;
static void count_sent(int number) {
  sent += number == SIGUSR2;
}

// Another program's signal reaches the UE that has the handler, under its mask.
static void test_other_program(void) {
  char command[64];
  sigset_t set;
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 0) {
    sprintf(command, "kill -USR2 %d", (int)getpid());
    signal(SIGUSR2, count_sent);
    for (int i = 0; i < 50 && sent == 0; ++i) system(i == 0 ? command : "true"); // the host takes its time
    CHECK_INT(sent, 1);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (int i = 0; i < 50 && !is_pending(SIGUSR2); ++i) system(i == 0 ? command : "true");
    CHECK_INT(sent, 1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    CHECK_INT(sent, 2);
    signal(SIGUSR2, SIG_IGN);
    system(command);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  test_mask_of_ue();
  test_handlers();
  test_jumps();
  test_waits();
  test_alarm();
  test_outside();
  test_old_names();
  test_other_program();
  RCCE_barrier(&RCCE_COMM_WORLD);
  return check_end();
}
