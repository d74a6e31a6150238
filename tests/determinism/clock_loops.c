/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that ask for the time: n calls take n times a call, and a loop that waits for an instant ends in the
 * first round behind it, whether it is led on or not. */
#include <math.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

#include "RCCE.h"

static int wrong;
static double calendar(void) {
  struct timeval t;
  gettimeofday(&t, 0);
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}
static double monotonic_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Loops that keep something of each call. */
static double kept[1 << 15];
static double count_calls(int how, int n) {
  const double begin = RCCE_wtime();
  double sum = 0;
  int later = 0;
  switch (how) {
  case 0:
    for (int i = 0; i < n; i++) sum += RCCE_wtime();
    break;
  case 1:
    for (int i = 0; i < n; i++) later += RCCE_wtime() > begin;
    break;
  case 2:
    for (int i = 0; i < n; i++) kept[i] = RCCE_wtime();
    break;
  case 3:
    for (int i = 0; i < n; i++) sum = fmax(sum, calendar());
    break;
  case 4:
    for (int i = n; i > 0 && RCCE_wtime() < begin + 1e9; i--) continue;
    break;
  default:
    for (int i = 0; i < n; i++) {
      sum -= RCCE_wtime();
      rcce_compute(3);
      sum += RCCE_wtime();
    }
  }
  kept[0] += sum + later;
  return RCCE_wtime() - begin;
}

/* Loops that wait: how much later than asked for they end, in seconds. */
static double wait_for(int how, double seconds) {
  const double begin = RCCE_wtime(), end = begin + seconds;
  double now = 0;
  switch (how) {
  case 0:
    while (RCCE_wtime() - begin < seconds) continue;
    break;
  case 1:
    while ((now = RCCE_wtime()) < end) continue;
    break;
  case 2:
    do now = RCCE_wtime();
    while (end > now);
    break;
  case 3:
    for (;;)
      if ((RCCE_wtime() - begin) * 1e6 >= seconds * 1e6) break;
    break;
  case 4: {
    const double from = calendar();
    while (calendar() - from < seconds) continue;
    break;
  }
  case 5: {
    struct timeval from, t;
    gettimeofday(&from, 0);
    do gettimeofday(&t, 0);
    while ((double)((t.tv_sec - from.tv_sec) * 1000000 + t.tv_usec - from.tv_usec) < seconds * 1e6);
    break;
  }
  case 6: {
    const double from = monotonic_ms();
    while (monotonic_ms() < from + seconds * 1e3) continue;
    break;
  }
  case 7: {
    const clock_t from = clock();
    while ((clock() - from) / 100 < (long)(seconds * 1e4)) continue; /* cut */
    break;
  }
  case 8: {
    const long long until = rcce_picoseconds() + (long long)(seconds * 1e12);
    while (rcce_picoseconds() < until) continue;
    break;
  }
  default: /* no instant: the loop ends by its count */
    for (int i = 0; RCCE_wtime() < end && i < 1 << 30; i++) now += i;
  }
  return RCCE_wtime() - end + (now < 0);
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  for (int how = 0; how < 6; how++) {
    const double few = count_calls(how, 1000), many = count_calls(how, 20000);
    if (fabs(many / few - 20) > 0.5)
      wrong++, printf("loop %d: 1,000 calls take %.3f us, 20,000 %.3f us\n", how, few * 1e6, many * 1e6);
  }
  for (int how = 0; how < 10; how++)
    for (double seconds = 1e-4; seconds < 2e-2; seconds *= 10) {
      const double late = wait_for(how, seconds);
      if (late < 0 || late > 6e-6)
        wrong++, printf("wait %d: for %g s, %.3f us late\n", how, seconds, late * 1e6);
    }
#ifdef __OPTIMIZE__
  /* In no time of the host's. */
  for (int how = 0; how < 9; how++) {
    const double late = wait_for(how, 3600);
    if (late < 0 || late > 6e-6) wrong++, printf("wait %d: for an hour, %.3f us late\n", how, late * 1e6);
  }
#endif
  printf("%d wrong\n", wrong);
  RCCE_finalize();
  return wrong != 0;
}
