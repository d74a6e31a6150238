/* Everybody adds its share to a sum in shared memory when it is its turn; the turn is a word there, and
   nobody finalizes. */
#include "RCCE.h"

int RCCE_APP(int argc, char **argv) {
  int words, rounds, round, me, n, i;
  volatile double *values;
  volatile int *turn;
  double sum = 0, reference = 0;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  n = RCCE_num_ues();
  if (argc != 3) {
    if (me == 0) printf("needs a buffer size and a number of rounds\n");
    return (1);
  }
  words = atoi(argv[1]);
  rounds = atoi(argv[2]);
  values = (volatile double *)RCCE_shmalloc(words * sizeof(double));
  turn = (volatile int *)RCCE_shmalloc(sizeof(int));
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (round = 0; round < rounds; round++) {
    while (*turn != round * n + me)
      ;
    for (i = 0; i < words; i++) values[i] += me + i;
    (*turn)++;
    RCCE_shflush();
  }
  if (me == 0) {
    while (*turn != rounds * n)
      ;
    for (i = 0; i < words; i++) sum += values[i];
    for (i = 0; i < words; i++) reference += rounds * (n * (n - 1) / 2.0 + (double)n * i);
    printf("Final sum on UE %03d equals %14.13e, refval = %14.13e\n", me, sum, reference);
  }
  return 0;
}
