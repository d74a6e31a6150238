/* SPDX-License-Identifier: Apache-2.0 */
/* What a program knows of the time by the C library, one clock or alarm for each word: rank 1 takes the time
 * of a message. Behind `race-` rank 0 prints a number that rank 1 changes meanwhile. Compiled with
 * rccecc --observe. */
#include "RCCE.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

static void nothing(int signal) { (void)signal; }

/* Seconds. */
static double now(const char *kind) {
  struct timespec fine = {0, 0};
  struct timeval of_day = {0, 0};
  struct rusage used;
  struct tms ticks;
  struct itimerval interval = {{0, 0}, {1000, 0}};
  struct pollfd none = {-1, 0, 0};
  if (!strcmp(kind, "monotonic")) {
    clock_gettime(CLOCK_MONOTONIC, &fine);
  } else if (!strcmp(kind, "calendar")) {
    timespec_get(&fine, TIME_UTC);
    fine.tv_sec %= 1000;
  } else if (!strcmp(kind, "of-day")) {
    gettimeofday(&of_day, NULL);
    return (double)(of_day.tv_sec % 1000) + (double)of_day.tv_usec * 1e-6;
  } else if (!strcmp(kind, "processor")) {
    return (double)clock() / CLOCKS_PER_SEC;
  } else if (!strcmp(kind, "used")) {
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec * 1e-6;
  } else if (!strcmp(kind, "ticks")) {
    return (double)times(&ticks) * 0.01;
  } else if (strstr(kind, "seconds")) {
    return (double)(time(NULL) % 1000);
  } else if (!strcmp(kind, "alarm")) {
    signal(SIGALRM, nothing);
    setitimer(ITIMER_REAL, &interval, NULL);
  } else if (!strcmp(kind, "end-of-wait")) {
    poll(&none, 1, 1);
  }
  return (double)fine.tv_sec + (double)fine.tv_nsec * 1e-9;
}

int RCCE_APP(int argc, char **argv) {
  const char *kind;
  char message[64] = "";
  volatile int *shared;
  RCCE_init(&argc, &argv);
  kind = argc > 1 ? argv[1] : "";
  shared = (volatile int *)RCCE_shmalloc(64);
  if (RCCE_ue() == 0) *shared = 0;
  RCCE_barrier(&RCCE_COMM_WORLD);
  const double begin = now(kind);
  if (!strncmp(kind, "race-", 5)) {
    if (RCCE_ue() == 1) *shared = 1;
    if (RCCE_ue() == 0) printf("%.3f\n", *shared / 8.0);
  }
  if (RCCE_ue() == 0) RCCE_send(message, sizeof message, 1);
  if (RCCE_ue() == 1) RCCE_recv(message, sizeof message, 0);
  const double spent = now(kind) - begin;
  if (RCCE_ue() == 1 && strncmp(kind, "race-", 5) != 0) printf("%s: %.9f s\n", kind, spent);
  RCCE_finalize();
  return 0;
}
