/* SPDX-License-Identifier: Apache-2.0 */
/* An alarm comes at its instant in any loop: one that reads, stores, computes, calls, or does nothing. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "RCCE.h"

static volatile int rung;
static volatile int *heap;
static int *plain;
static long long due, latest;
static void ring(int signal) {
  const long long late = rcce_picoseconds() - due;
  (void)signal;
  if (late > latest) latest = late;
  rung = 1;
  *heap = 1;
}

__attribute__((noinline)) static int work(int of) { return of * 7 + 1; }

__attribute__((noinline)) static void loop(int kind, volatile int *shared) {
  unsigned sum = 0;
  switch (kind) {
  case 0:
    while (!*heap) continue;
    break;
  case 1:
    while (!rung) continue;
    break;
  case 2:
    while (!rung && !shared[0]) continue;
    break;
  case 3:
    while (!rung)
      for (int i = 0; i < 100; i++) shared[8] += i;
    break;
  case 4:
    while (!rung) getpid();
    break;
  case 5:
    for (int i = 0; !rung; i = (i + 1) & 1023) plain[i] = i;
    break;
  case 6:
    while (!rung) sum += (unsigned)work((int)sum);
    break;
  case 7:
    while (!rung) RCCE_wtime();
    break;
  case 8:
    while (!rung) rcce_compute(10);
    break;
  case 9:
    while (!rung) RCCE_acquire_lock(0), RCCE_release_lock(0);
    break;
  case 10:
    while (!rung)
      /* its rounds are known: charged where it begins */
      for (int i = 0; i < 1024; i++) sum += (unsigned)plain[i];
    break;
  default:
    while (!*heap && sum < 1u << 31) sum++;
  }
  plain[0] = (int)sum;
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  heap = malloc(64);
  plain = calloc(1024, sizeof(int));
  volatile int *const shared = (volatile int *)RCCE_shmalloc(64);
  shared[0] = 0;
  int wrong = 0;
  signal(SIGALRM, ring);
  for (int kind = 0; kind < 12; kind++) {
    latest = -1;
    /* looks at shared memory are charged by the dozen, 12 us: so far ahead the runtime knows of the alarm */
    for (int microseconds = 40; microseconds < 5000; microseconds = microseconds * 3 + 1) {
      const struct itimerval after = {{0, 0}, {0, microseconds}};
      rung = *heap = 0;
      due = rcce_picoseconds() + microseconds * 1000000LL;
      setitimer(ITIMER_REAL, &after, 0);
      loop(kind, shared);
    }
    /* a round of the loop, its call, and that of the handler for the time */
    const long long allowed = kind == 10 ? 12000000 : 4000000;
    if (latest < 0 || latest > allowed)
      wrong++, printf("loop %d: up to %.3f us late\n", kind, (double)latest * 1e-6);
  }
  printf("%d wrong\n", wrong);
  RCCE_finalize();
  return wrong != 0;
}
