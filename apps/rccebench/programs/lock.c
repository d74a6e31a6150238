/* SPDX-License-Identifier: Apache-2.0 */
/* Cost of the test-and-set registers behind RCCE_acquire_lock and RCCE_release_lock.
 *
 *   rccerun -nue N lock alone REPETITIONS      rank 0 takes and frees the free register of every rank in
 *                                              turn; prints "RANK MICROSECONDS" per rank, the mean of both
 *                                              calls together
 *   rccerun -nue N lock contended REPETITIONS  all UEs take and free the register of rank 0 again and again;
 *                                              prints the mean time in microseconds until a UE has it, over
 *                                              all UEs */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"
#ifndef RCCE_VERSION /* before RCCE 2.0 the lock functions were not in RCCE.h */
int RCCE_acquire_lock(int);
int RCCE_release_lock(int);
#endif

static void alone(int repetitions) {
  for (int rank = 0; rank < RCCE_num_ues() && RCCE_ue() == 0; ++rank) {
    const double start = RCCE_wtime();
    for (int i = 0; i < repetitions; ++i) {
      RCCE_acquire_lock(rank);
      RCCE_release_lock(rank);
    }
    printf("%d %.6f\n", rank, (RCCE_wtime() - start) / repetitions * 1e6);
  }
}

static void contended(int repetitions) {
  double waited = 0, sum = 0;
  for (int i = 0; i < repetitions; ++i) {
    const double start = RCCE_wtime();
    RCCE_acquire_lock(0);
    waited += RCCE_wtime() - start;
    RCCE_release_lock(0);
  }
  RCCE_reduce((char *)&waited, (char *)&sum, 1, RCCE_DOUBLE, RCCE_SUM, 0, RCCE_COMM_WORLD);
  if (RCCE_ue() == 0)
    printf("%.6f\n", sum / repetitions / RCCE_num_ues() * 1e6);
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  if (argc < 3 || atoi(argv[2]) < 1) {
    if (RCCE_ue() == 0)
      printf("usage: rccerun -nue N lock alone|contended REPETITIONS\n");
    return 2;
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (!strcmp(argv[1], "alone"))
    alone(atoi(argv[2]));
  else
    contended(atoi(argv[2]));
  RCCE_finalize();
  return 0;
}
