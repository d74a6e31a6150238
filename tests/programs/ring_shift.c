/* Every UE passes its block to the right, round after round: non-gory, even ranks send first. After N rounds
 * a UE holds the block of the rank N to its left. */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  int rounds, words, me, ues, right, left, round, i;
  double *mine, *other, sum = 0, want = 0, start;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  if (argc != 3 || ues < 2) {
    if (me == 0) printf("usage: ring_shift ROUNDS WORDS, on two UEs or more\n");
    return 1;
  }
  rounds = atoi(argv[1]);
  words = atoi(argv[2]);
  right = (me + 1) % ues;
  left = (me - 1 + ues) % ues;
  mine = malloc(words * sizeof(double));
  other = malloc(words * sizeof(double));
  for (i = 0; i < words; ++i) mine[i] = me * 1000.0 + i;

  RCCE_barrier(&RCCE_COMM_WORLD);
  start = RCCE_wtime();
  for (round = 0; round < rounds; ++round) {
    double* swap;
    if (me % 2 == 0 && me != ues - 1) {
      RCCE_send((char*)mine, words * sizeof(double), right);
      RCCE_recv((char*)other, words * sizeof(double), left);
    } else {
      RCCE_recv((char*)other, words * sizeof(double), left);
      RCCE_send((char*)mine, words * sizeof(double), right);
    }
    swap = mine;
    mine = other;
    other = swap;
  }
  start = RCCE_wtime() - start;
  for (i = 0; i < words; ++i) {
    sum += mine[i];
    want += ((me - rounds) % ues + ues) % ues * 1000.0 + i;
  }
  printf("rank %d: sum %.1f, expected %.1f, %.3f us\n", me, sum, want, start * 1e6);
  RCCE_finalize();
  free(mine);
  free(other);
  return sum == want ? 0 : 1;
}
