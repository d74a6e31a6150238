/* SPDX-License-Identifier: Apache-2.0 */
/* One communication operation many times, in MPI: the twin of apps/rccebench/programs/operations.c for
 * SimGrid's SMPI.
 *
 *   smpirun -np N ... operations_mpi pingpong|barrier|bcast|bcast_alone REPETITIONS [BYTES]
 *
 * bcast_alone: the root begins when the last rank has told it, by an empty message, that it has the broadcast
 * before. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int me, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 3) {
    if (me == 0)
      printf("usage: operations_mpi pingpong|barrier|bcast|bcast_alone REPETITIONS [BYTES]\n");
    MPI_Finalize();
    return 2;
  }
  const char operation = argv[1][0] == 'p' ? 'p' : argv[1][1] == 'a' ? 'a' : 'c';
  const int alone = strcmp(argv[1], "bcast_alone") == 0;
  const int repetitions = atoi(argv[2]);
  const int bytes = argc > 3 ? atoi(argv[3]) : 0;
  char *buffer = malloc((size_t)bytes + 1);
  for (int i = 0; i < bytes; ++i)
    buffer[i] = me == 0 ? (char)(i * 7 + 1) : 0;

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < repetitions; ++i) {
    if (operation == 'a') {
      MPI_Barrier(MPI_COMM_WORLD);
    } else if (operation == 'c') {
      MPI_Bcast(buffer, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
      if (alone && me == ranks - 1)
        MPI_Send(NULL, 0, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
      if (alone && me == 0)
        MPI_Recv(NULL, 0, MPI_CHAR, ranks - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (me == 0) {
      MPI_Send(buffer, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(buffer, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (me == 1) {
      MPI_Recv(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
  }
  const double time = MPI_Wtime() - start;

  const int took_part = operation == 'c' || (operation == 'p' && me < 2);
  for (int i = 0; i < bytes && took_part && repetitions > 0; ++i)
    if (buffer[i] != (char)(i * 7 + 1)) {
      printf("operations_mpi: rank %d: byte %d is wrong\n", me, i);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  free(buffer);
  if (me == 0 && repetitions > 0)
    printf("%d %.6f\n", repetitions, time / repetitions * 1e6);
  MPI_Finalize();
  return 0;
}
