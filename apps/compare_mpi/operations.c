/* SPDX-License-Identifier: Apache-2.0 */
/* One communication operation many times, in RCCE or (with USE_MPI) in MPI: both sides of
 * apps/compare_mpi.sh.
 *
 *   operations OPERATION BLOCKS REPETITIONS [BYTES [ALGORITHM[:STAGES]]]
 *
 * OPERATION is pingpong (ranks 0 and 1, there and back), barrier or bcast (from rank 0); ALGORITHM a name of
 * algorithms/collectives.h, RCCE only, instead of the library's own call, STAGES its option of that name.
 * Rank 0 prints the microseconds of one repetition: the least of all blocks, and the median. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_MPI
#include <mpi.h>
static void send_to(char *b, size_t n, int to) { MPI_Send(b, (int)n, MPI_CHAR, to, 0, MPI_COMM_WORLD); }
static void receive_from(char *b, size_t n, int from) {
  MPI_Recv(b, (int)n, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void barrier(const char *algorithm) {
  (void)algorithm;
  MPI_Barrier(MPI_COMM_WORLD);
}
static void broadcast(const char *algorithm, char *b, size_t n) {
  (void)algorithm;
  MPI_Bcast(b, (int)n, MPI_CHAR, 0, MPI_COMM_WORLD);
}
static double seconds(void) { return MPI_Wtime(); }
#else
#include "RCCE.h"
#include "iRCCE.h"

#include "algorithms/collectives.h"
static char options[32]; /* "" or "stages=N" */
static void send_to(char *b, size_t n, int to) { RCCE_send(b, n, to); }
static void receive_from(char *b, size_t n, int from) { RCCE_recv(b, n, from); }
static void barrier(const char *algorithm) {
  if (algorithm)
    rockcreek_barrier(algorithm, NULL);
  else
    RCCE_barrier(&RCCE_COMM_WORLD);
}
static void broadcast(const char *algorithm, char *b, size_t n) {
  if (algorithm)
    rockcreek_bcast(algorithm, b, n, 0, options);
  else
    RCCE_bcast(b, n, 0, RCCE_COMM_WORLD);
}
static double seconds(void) { return RCCE_wtime(); }
#endif

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void repeat(char operation, int count, int me, char *buffer, size_t bytes, const char *algorithm) {
  int i;
  for (i = 0; i < count; ++i) {
    if (operation == 'a') {
      barrier(algorithm);
    } else if (operation == 'c') {
      broadcast(algorithm, buffer, bytes);
    } else if (me == 0) {
      send_to(buffer, bytes, 1);
      receive_from(buffer, bytes, 1);
    } else if (me == 1) {
      receive_from(buffer, bytes, 0);
      send_to(buffer, bytes, 0);
    }
  }
}

static int run(int argc, char **argv, int me) {
  const char operation = argc < 4 ? 0 : argv[1][0] == 'p' ? 'p' : argv[1][1] == 'a' ? 'a' : 'c';
  const int blocks = argc < 4 ? 0 : atoi(argv[2]), repetitions = argc < 4 ? 0 : atoi(argv[3]);
  const size_t bytes = argc > 4 ? (size_t)atol(argv[4]) : 0;
  const char *algorithm = argc > 5 ? argv[5] : NULL;
  char *buffer;
  double *times;
  size_t i;
  int block;
  if (blocks < 1 || repetitions < 1) {
    if (me == 0)
      printf("usage: operations pingpong|barrier|bcast BLOCKS REPETITIONS [BYTES [ALGORITHM[:STAGES]]]\n");
    return 2;
  }
#ifndef USE_MPI
  if (algorithm && strchr(algorithm, ':')) {
    static char name[64];
    snprintf(options, sizeof options, "stages=%s", strchr(algorithm, ':') + 1);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(algorithm, ":"), algorithm);
    algorithm = name;
  }
  if (algorithm && rockcreek_prepare(algorithm, options)) return 1;
#endif
  buffer = malloc(bytes + 1);
  times = malloc((size_t)blocks * sizeof *times);
  for (i = 0; i < bytes; ++i) buffer[i] = me == 0 ? (char)(i * 7 + 1) : 0;
  repeat(operation, 1 + repetitions / 10, me, buffer, bytes, algorithm);
  for (block = 0; block < blocks; ++block) {
    double start;
    barrier(NULL);
    start = seconds();
    repeat(operation, repetitions, me, buffer, bytes, algorithm);
    times[block] = (seconds() - start) / repetitions * 1e6;
  }
  for (i = 0; i < bytes && (operation == 'c' || me < 2); ++i)
    if (buffer[i] != (char)(i * 7 + 1)) {
      printf("operations: rank %d: byte %lu is wrong\n", me, (unsigned long)i);
      return 1;
    }
  if (me == 0) {
    qsort(times, (size_t)blocks, sizeof *times, ascending);
    printf("%.4f %.4f\n", times[0], times[blocks / 2]);
  }
  free(times);
  free(buffer);
  return 0;
}

#ifdef USE_MPI
int main(int argc, char **argv) {
  int me, status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  status = run(argc, argv, me);
  MPI_Finalize();
  return status;
}
#else
int RCCE_APP(int argc, char **argv) {
  int status;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  status = run(argc, argv, RCCE_ue());
  RCCE_finalize();
  return status;
}
#endif
