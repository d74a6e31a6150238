/* SPDX-License-Identifier: Apache-2.0 */
/* Cost of a barrier over all UEs.
 *
 *   rccerun -nue N barrier flags|locks REPETITIONS
 *
 *   flags  RCCE_barrier
 *   locks  a barrier made of test-and-set registers only: a token goes round all UEs twice, handed on by
 *          freeing the register of the next UE's core. The first round ends when everybody has arrived, the
 *          second lets all go.
 *
 * Rank 0 prints the mean time of one barrier in microseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"
#ifndef RCCE_VERSION /* before RCCE 2.0 the lock functions were not in RCCE.h */
int RCCE_acquire_lock(int);
int RCCE_release_lock(int);
#endif

enum { warm_up = 4 };

/* Between calls every UE holds the register of its own core; only its predecessor frees it, only it takes
 * it. */
static void lock_barrier(void) {
  const int me = RCCE_ue(), n = RCCE_num_ues();
  for (int round = 0; round < 2 && n > 1; ++round) {
    if (me > 0)
      RCCE_acquire_lock(me);
    RCCE_release_lock((me + 1) % n);
    if (me == 0)
      RCCE_acquire_lock(me);
  }
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  if (argc < 3 || atoi(argv[2]) < 1) {
    if (RCCE_ue() == 0)
      printf("usage: rccerun -nue N barrier flags|locks REPETITIONS\n");
    return 2;
  }
  const int by_locks = !strcmp(argv[1], "locks");
  const int repetitions = atoi(argv[2]);
  if (by_locks)
    RCCE_acquire_lock(RCCE_ue());
  RCCE_barrier(&RCCE_COMM_WORLD);

  double start = 0;
  for (int i = -warm_up; i < repetitions; ++i) {
    if (i == 0)
      start = RCCE_wtime();
    if (by_locks)
      lock_barrier();
    else
      RCCE_barrier(&RCCE_COMM_WORLD);
  }
  if (RCCE_ue() == 0)
    printf("%.6f\n", (RCCE_wtime() - start) / repetitions * 1e6);
  RCCE_finalize();
  return 0;
}
