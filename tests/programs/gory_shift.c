/* The cyclic shift with the low-level interface: data straight into the neighbour's buffer, one flag that
 * says the buffer is free and one that says it is full. The first flag is set at the neighbour right after
 * RCCE_init, without a barrier. */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

enum { words = 512 };

int RCCE_APP(int argc, char** argv) {
  RCCE_FLAG is_free, is_full;
  t_vcharp buffer;
  static double mine[words] __attribute__((aligned(4096)));
  double sum = 0, want = 0;
  int me, ues, right, left, round, rounds, i;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  rounds = argc > 1 ? atoi(argv[1]) : 1;
  right = (me + 1) % ues;
  left = (me - 1 + ues) % ues;
  if (RCCE_flag_alloc(&is_free) || RCCE_flag_alloc(&is_full)) return 1;
  buffer = RCCE_malloc(words * sizeof(double));
  if (!buffer) return 1;
  RCCE_flag_write(&is_free, RCCE_FLAG_SET, left); /* to whoever fills my buffer */
  for (i = 0; i < words; ++i) mine[i] = me + i * 0.5;

  for (round = 0; round < rounds; ++round) {
    RCCE_wait_until(is_free, RCCE_FLAG_SET);
    RCCE_flag_write(&is_free, RCCE_FLAG_UNSET, me);
    RCCE_put(buffer, (t_vcharp)mine, words * sizeof(double), right);
    RCCE_flag_write(&is_full, RCCE_FLAG_SET, right);
    RCCE_wait_until(is_full, RCCE_FLAG_SET);
    RCCE_flag_write(&is_full, RCCE_FLAG_UNSET, me);
    RCCE_get((t_vcharp)mine, buffer, words * sizeof(double), me);
    RCCE_flag_write(&is_free, RCCE_FLAG_SET, left);
  }
  for (i = 0; i < words; ++i) {
    sum += mine[i];
    want += ((me - rounds) % ues + ues) % ues + i * 0.5;
  }
  printf("rank %d: sum %.1f, expected %.1f\n", me, sum, want);
  return sum == want ? 0 : 1;
}
