/* SPDX-License-Identifier: Apache-2.0 */
/* Cost of one-sided copies between private memory and message-passing buffers; compile with -DGORY.
 *
 *   rccerun -nue 2 copy SWEEPS BYTES [BYTES ...]
 *
 * Rank 0 walks a private buffer of BYTES (a power of two) in segments of 4096 bytes, SWEEPS times: once
 * putting each segment into its own message-passing buffer, once getting each from rank 1's. It prints "BYTES
 * PUT GET", microseconds per line, first sweep excluded. How large BYTES is decides in which cache the buffer
 * stays.
 *
 *   rccerun -nue N copy readers REPETITIONS
 *
 * All ranks get 4096 bytes from rank 0's message-passing buffer, REPETITIONS times one after the other and at
 * once. It prints "LOSS SPREAD", first time excluded: how many times longer than alone a rank takes at most,
 * and the slowest rank by the fastest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"

enum { largest_segment = 4096 };

static t_vcharp window;

static void sweep(unsigned char *buffer, size_t bytes, int put) {
  const size_t segment = bytes < largest_segment ? bytes : largest_segment;
  for (size_t done = 0; done < bytes; done += segment) {
    if (put)
      RCCE_put(window, buffer + done, (int)segment, 0);
    else
      RCCE_get(buffer + done, window, (int)segment, 1);
  }
}

/* Seconds of this rank's get, when all get at once or one after the other. */
static double get_from_root(unsigned char *buffer, int at_once) {
  RCCE_COMM world = RCCE_COMM_WORLD;
  double time = 0;
  for (int turn = 0; turn < (at_once ? 1 : RCCE_num_ues()); ++turn) {
    RCCE_barrier(&world);
    if (!at_once && turn != RCCE_ue()) continue;
    const double start = RCCE_wtime();
    RCCE_get(buffer, window, largest_segment, 0);
    time = RCCE_wtime() - start;
  }
  return time;
}

static void readers(int repetitions) {
  unsigned char *buffer = malloc(largest_segment), lines[48 * RCCE_LINE_SIZE] = {0};
  const t_vcharp times = RCCE_malloc(sizeof lines);
  RCCE_COMM world = RCCE_COMM_WORLD;
  double mine[2] = {0, 0}; /* alone, at once */
  for (int k = 0; k <= repetitions; ++k)
    for (int at_once = 0; at_once < 2; ++at_once) {
      const double time = get_from_root(buffer, at_once);
      if (k > 0) mine[at_once] += time;
    }
  free(buffer);
  memcpy(lines, mine, sizeof mine);
  RCCE_put(times + RCCE_ue() * RCCE_LINE_SIZE, lines, RCCE_LINE_SIZE, 0);
  RCCE_barrier(&world);
  if (RCCE_ue() != 0) return;
  double slowest = 0, fastest = 1e9, loss = 0;
  RCCE_get(lines, times, RCCE_num_ues() * RCCE_LINE_SIZE, 0);
  for (int rank = 0; rank < RCCE_num_ues(); ++rank) {
    double time[2];
    memcpy(time, lines + rank * RCCE_LINE_SIZE, sizeof time);
    if (time[1] > slowest) slowest = time[1];
    if (time[1] < fastest) fastest = time[1];
    if (time[1] / time[0] > loss) loss = time[1] / time[0];
  }
  printf("%.6f %.6f\n", loss, slowest / fastest);
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  const int all_read = argc == 3 && strcmp(argv[1], "readers") == 0;
  const int sweeps = argc < 3 ? 0 : atoi(argv[all_read ? 2 : 1]);
  if (sweeps < 1 || RCCE_num_ues() > 48 || (!all_read && RCCE_num_ues() != 2)) {
    if (RCCE_ue() == 0)
      printf("usage: rccerun -nue 2 copy SWEEPS BYTES [BYTES ...]\n       rccerun -nue N copy readers "
             "REPETITIONS\n");
    return 2;
  }
  window = RCCE_malloc(largest_segment);
  if (all_read) {
    readers(sweeps);
    RCCE_finalize();
    return 0;
  }
  for (int i = 2; i < argc && RCCE_ue() == 0; ++i) {
    const size_t bytes = (size_t)strtoul(argv[i], NULL, 10);
    unsigned char *buffer = malloc(bytes);
    double time[2];
    for (int put = 1; put >= 0; --put) {
      /* a put reads the buffer, so that its lines are where their size lets them be */
      sweep(buffer, bytes, 1);
      sweep(buffer, bytes, put);
      const double start = RCCE_wtime();
      for (int k = 0; k < sweeps; ++k)
        sweep(buffer, bytes, put);
      time[put] = (RCCE_wtime() - start) / sweeps / (double)(bytes / RCCE_LINE_SIZE) * 1e6;
    }
    printf("%lu %.6f %.6f\n", (unsigned long)bytes, time[1], time[0]);
    free(buffer);
  }
  RCCE_finalize();
  return 0;
}
