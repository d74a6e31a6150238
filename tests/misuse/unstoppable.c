// SPDX-License-Identifier: Apache-2.0
// Rank 0 blocks or ignores all signals by the means of argv[1], then stays for ever in what argv[2] names;
// the other one waits for it.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "RCCE.h"

static sigset_t all;

static int is(const char* word, const char* name) {
  return strcmp(word, name) == 0;
}

static void stay(const char* where) {
  int ends[2], number;
  char byte;
  volatile unsigned long rounds = 0;
  if (is(where, "loop"))
    for (;;) ++rounds;
  if (is(where, "read") && pipe(ends) == 0)
    for (;;)
      if (read(ends[0], &byte, 1) < 0) perror("read");
  if (is(where, "wait"))
    for (;;) sigwait(&all, &number);
  if (is(where, "wait-outside")) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGRTMIN);
    for (;;) sigwait(&one, &number);
  }
}

static const char* place;
static void handler(int number) {
  (void)number;
  stay(place);
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  printf("rank %d is here\n", RCCE_ue());
  fflush(stdout);
  sigfillset(&all);
  if (RCCE_ue() == 0) {
    const char* means = argv[1];
    place = argv[2];
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigfillset(&action.sa_mask);
    if (is(means, "mask")) sigprocmask(SIG_BLOCK, &all, NULL);
    if (is(means, "thread-mask")) pthread_sigmask(SIG_SETMASK, &all, NULL);
    if (is(means, "raw")) syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, 8);
    if (is(means, "old")) sigsetmask(-1);
    if (is(means, "ignore"))
      for (int i = 1; i <= SIGRTMAX; ++i) signal(i, SIG_IGN);
    if (is(means, "handler") && sigaction(SIGUSR1, &action, NULL) == 0) raise(SIGUSR1);
    if (is(means, "outside") && sigaction(SIGCHLD, &action, NULL) == 0) raise(SIGCHLD);
    stay(place);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  return 0;
}
