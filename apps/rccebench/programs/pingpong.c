/* SPDX-License-Identifier: Apache-2.0 */
/* Ping-pong between two UEs with the simplified calls: the program behind `rccebench pingpong` and
 * `validate`.
 *
 *   rccerun -nue 2 -f HOSTS pingpong REPETITIONS FIRST BYTES [BYTES ...]
 *
 * Rank FIRST sends, the other sends the same buffer back; each repetition is timed on rank FIRST. One buffer
 * serves both directions, so every line of it is read (and thereby cached) before it is received into again:
 * the chip's caches do not allocate a line on a write. Rank FIRST prints, per size,
 *   BYTES MINIMUM MEAN CHECK
 * with the round trip in microseconds and CHECK the number of bytes that came back wrong, on either side. */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

enum { warm_up = 3 };

static unsigned char pattern(size_t index, int repetition) {
  return (unsigned char)(index * 7u + index / 251u + (size_t)repetition * 13u + 1u);
}

static void fill(unsigned char *buffer, size_t bytes, int repetition) {
  for (size_t i = 0; i < bytes; ++i)
    buffer[i] = pattern(i, repetition);
}

static long wrong_bytes(const unsigned char *buffer, size_t bytes, int repetition) {
  long wrong = 0;
  for (size_t i = 0; i < bytes; ++i)
    wrong += buffer[i] != pattern(i, repetition);
  return wrong;
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  if (RCCE_num_ues() != 2 || argc < 4 || atoi(argv[1]) < 1) {
    if (RCCE_ue() == 0)
      printf("usage: rccerun -nue 2 pingpong REPETITIONS FIRST BYTES [BYTES ...]\n");
    return 2;
  }
  const int repetitions = atoi(argv[1]);
  const int first = atoi(argv[2]) ? 1 : 0;
  const int partner = 1 - RCCE_ue();

  size_t largest = 1;
  for (int i = 3; i < argc; ++i) {
    const size_t bytes = (size_t)strtoul(argv[i], NULL, 10);
    largest = bytes > largest ? bytes : largest;
  }
  unsigned char *buffer = malloc(largest);
  if (!buffer) {
    printf("pingpong: no memory for a buffer of %lu bytes\n", (unsigned long)largest);
    return 1;
  }

  for (int i = 3; i < argc; ++i) {
    const size_t bytes = (size_t)strtoul(argv[i], NULL, 10);
    double minimum = 0, sum = 0;
    long wrong = 0;
    for (int repetition = -warm_up; repetition < repetitions; ++repetition) {
      if (RCCE_ue() == first) {
        fill(buffer, bytes, repetition);
        const double start = RCCE_wtime();
        RCCE_send((char *)buffer, bytes, partner);
        RCCE_recv((char *)buffer, bytes, partner);
        const double time = RCCE_wtime() - start;
        if (repetition >= 0) {
          minimum = repetition == 0 || time < minimum ? time : minimum;
          sum += time;
        }
      } else {
        RCCE_recv((char *)buffer, bytes, partner);
        RCCE_send((char *)buffer, bytes, partner);
      }
      wrong += wrong_bytes(buffer, bytes, repetition);
    }

    long wrong_there = 0;
    if (RCCE_ue() == first) {
      RCCE_recv((char *)&wrong_there, sizeof wrong_there, partner);
      printf("%lu %.6f %.6f %ld\n", (unsigned long)bytes, minimum * 1e6, sum / repetitions * 1e6,
             wrong + wrong_there);
    } else {
      RCCE_send((char *)&wrong, sizeof wrong, partner);
    }
  }
  free(buffer);
  RCCE_finalize();
  return 0;
}
