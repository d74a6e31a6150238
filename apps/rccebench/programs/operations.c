/* SPDX-License-Identifier: Apache-2.0 */
/* One communication operation many times: measured from outside by the host time that a run takes.
 *
 *   rccerun -nue N operations pingpong|barrier|bcast REPETITIONS [BYTES [ALGORITHM [OPTION=VALUE ...]]]
 *
 * pingpong runs between ranks 0 and 1. bcast is RCCE_bcast or the ALGORITHM of that name with its options
 * (algorithms/collectives.h). Data is checked after the last repetition; rank 0 prints
 * "REPETITIONS MICROSECONDS", the simulated time of one repetition on rank 0. The MPI twin is
 * apps/compare_smpi/operations_mpi.c. C and C++. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"
#include "iRCCE.h"

#include "algorithms/collectives.h"
#include "job_point.h"

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  if (argc < 3) {
    if (RCCE_ue() == 0)
      printf("usage: rccerun -nue N operations pingpong|barrier|bcast REPETITIONS [BYTES [ALGORITHM "
             "[OPTION=VALUE ...]]]\n");
    return 2;
  }
  const char operation = argv[1][0] == 'p' ? 'p' : argv[1][1] == 'a' ? 'a' : 'c';
  const int repetitions = atoi(argv[2]);
  const size_t bytes = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : 0;
  const char *algorithm = argc > 4 ? argv[4] : NULL;
  const int me = RCCE_ue();
  int error = RCCE_SUCCESS;
  static char options[256];
  for (int i = 5; i < argc; ++i)
    snprintf(options + strlen(options), sizeof options - strlen(options), "%s ", argv[i]);
  if (algorithm) { /* only then: flags that nobody uses would take room in the MPB */
    iRCCE_init();
    if (rockcreek_prepare(algorithm, options) != RCCE_SUCCESS)
      return LAB_REFUSES;
  }
  char *buffer = (char *)malloc(bytes + 1);
  for (size_t i = 0; i < bytes; ++i)
    buffer[i] = me == 0 ? (char)(i * 7 + 1) : 0;

  RCCE_barrier(&RCCE_COMM_WORLD);
  const double start = RCCE_wtime();
  for (int i = 0; i < repetitions && error == RCCE_SUCCESS; ++i) {
    if (operation == 'a') {
      RCCE_barrier(&RCCE_COMM_WORLD);
    } else if (algorithm) {
      error = rockcreek_bcast(algorithm, buffer, bytes, 0, options);
    } else if (operation == 'c') {
      RCCE_bcast(buffer, bytes, 0, RCCE_COMM_WORLD);
    } else if (me == 0) {
      RCCE_send(buffer, bytes, 1);
      RCCE_recv(buffer, bytes, 1);
    } else if (me == 1) {
      RCCE_recv(buffer, bytes, 0);
      RCCE_send(buffer, bytes, 0);
    }
  }
  const double time = RCCE_wtime() - start;
  if (error != RCCE_SUCCESS)
    return 1;

  const int took_part = operation == 'c' || (operation == 'p' && me < 2);
  for (size_t i = 0; i < bytes && took_part && repetitions > 0; ++i)
    if (buffer[i] != (char)(i * 7 + 1)) {
      printf("operations: rank %d: byte %lu is wrong\n", me, (unsigned long)i);
      return 1;
    }
  free(buffer);
  if (me == 0 && repetitions > 0)
    printf("%d %.6f\n", repetitions, time / repetitions * 1e6);
  RCCE_finalize();
  return 0;
}
