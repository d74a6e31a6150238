/* SPDX-License-Identifier: Apache-2.0 */
/* Ping-pong between two UEs with the low-level calls; compile with -DGORY.
 *
 *   rccerun -nue 2 -f HOSTS pingpong_gory put|get|flag REPETITIONS FIRST BYTES [BYTES ...]
 *
 *   put   the sender puts into the receiver's message-passing buffer, the receiver gets from its own
 *   get   the sender puts into its own buffer, the receiver gets from the sender's (what RCCE_send does)
 *   flag  no data: each side sets the other's flag and waits for its own
 *
 * Sizes are rounded up to whole lines. Messages beyond the buffer go in segments, each acknowledged by a
 * second flag. Output as pingpong.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"

enum { warm_up = 3 };

typedef enum { by_put, by_get, by_flag } Variant;

static t_vcharp window;  /* payload area, at the same place in every buffer */
static size_t chunk;     /* its size in bytes */
static RCCE_FLAG sent, ready;

static void send_message(Variant variant, unsigned char *buffer, size_t bytes, int me, int partner) {
  if (variant == by_flag) {
    RCCE_flag_write(&sent, RCCE_FLAG_SET, partner);
    return;
  }
  for (size_t done = 0; done < bytes; done += chunk) {
    const size_t segment = bytes - done < chunk ? bytes - done : chunk;
    RCCE_put(window, buffer + done, (int)segment, variant == by_put ? partner : me);
    RCCE_flag_write(&sent, RCCE_FLAG_SET, partner);
    RCCE_wait_until(ready, RCCE_FLAG_SET);
    RCCE_flag_write(&ready, RCCE_FLAG_UNSET, me);
  }
}

static void receive_message(Variant variant, unsigned char *buffer, size_t bytes, int me, int partner) {
  if (variant == by_flag) {
    RCCE_wait_until(sent, RCCE_FLAG_SET);
    RCCE_flag_write(&sent, RCCE_FLAG_UNSET, me);
    return;
  }
  for (size_t done = 0; done < bytes; done += chunk) {
    const size_t segment = bytes - done < chunk ? bytes - done : chunk;
    RCCE_wait_until(sent, RCCE_FLAG_SET);
    RCCE_flag_write(&sent, RCCE_FLAG_UNSET, me);
    RCCE_get(buffer + done, window, (int)segment, variant == by_put ? me : partner);
    RCCE_flag_write(&ready, RCCE_FLAG_SET, partner);
  }
}

static unsigned char pattern(size_t index, int repetition) {
  return (unsigned char)(index * 7u + index / 251u + (size_t)repetition * 13u + 1u);
}

static long wrong_bytes(const unsigned char *buffer, size_t bytes, int repetition) {
  long wrong = 0;
  for (size_t i = 0; i < bytes; ++i)
    wrong += buffer[i] != pattern(i, repetition);
  return wrong;
}

static size_t whole_lines(const char *text) {
  const size_t bytes = (size_t)strtoul(text, NULL, 10);
  return (bytes + RCCE_LINE_SIZE - 1) / RCCE_LINE_SIZE * RCCE_LINE_SIZE;
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  if (RCCE_num_ues() != 2 || argc < 5 || atoi(argv[2]) < 1) {
    if (RCCE_ue() == 0)
      printf("usage: rccerun -nue 2 pingpong_gory put|get|flag REPETITIONS FIRST BYTES [BYTES ...]\n");
    return 2;
  }
  const Variant variant = !strcmp(argv[1], "put") ? by_put : !strcmp(argv[1], "get") ? by_get : by_flag;
  const int repetitions = atoi(argv[2]);
  const int first = atoi(argv[3]) ? 1 : 0;
  const int me = RCCE_ue(), partner = 1 - me;

  size_t largest = RCCE_LINE_SIZE;
  for (int i = 4; i < argc; ++i)
    largest = whole_lines(argv[i]) > largest ? whole_lines(argv[i]) : largest;
  unsigned char *buffer = malloc(largest);
  if (RCCE_flag_alloc(&sent) || RCCE_flag_alloc(&ready) || !buffer) {
    printf("pingpong_gory: no room for two flags and a buffer of %lu bytes\n", (unsigned long)largest);
    return 1;
  }
  RCCE_flag_write(&sent, RCCE_FLAG_UNSET, me);
  RCCE_flag_write(&ready, RCCE_FLAG_UNSET, me);
  window = RCCE_malloc_request(RCCE_BUFF_SIZE_MAX, &chunk);
  RCCE_barrier(&RCCE_COMM_WORLD);

  for (int i = 4; i < argc; ++i) {
    const size_t bytes = variant == by_flag ? 0 : whole_lines(argv[i]);
    double minimum = 0, sum = 0;
    long wrong = 0;
    for (int repetition = -warm_up; repetition < repetitions; ++repetition) {
      if (me == first) {
        for (size_t k = 0; k < bytes; ++k)
          buffer[k] = pattern(k, repetition);
        const double start = RCCE_wtime();
        send_message(variant, buffer, bytes, me, partner);
        receive_message(variant, buffer, bytes, me, partner);
        const double time = RCCE_wtime() - start;
        if (repetition >= 0) {
          minimum = repetition == 0 || time < minimum ? time : minimum;
          sum += time;
        }
      } else {
        receive_message(variant, buffer, bytes, me, partner);
        send_message(variant, buffer, bytes, me, partner);
      }
      wrong += wrong_bytes(buffer, bytes, repetition);
    }

    unsigned char line[RCCE_LINE_SIZE] = {0};
    if (me == first) {
      long wrong_there = 0;
      receive_message(by_get, line, sizeof line, me, partner);
      memcpy(&wrong_there, line, sizeof wrong_there);
      printf("%lu %.6f %.6f %ld\n", (unsigned long)bytes, minimum * 1e6, sum / repetitions * 1e6,
             wrong + wrong_there);
    } else {
      memcpy(line, &wrong, sizeof wrong);
      send_message(by_get, line, sizeof line, me, partner);
    }
  }
  free(buffer);
  RCCE_finalize();
  return 0;
}
