/* Waiting by reading memory, without a call: rank 0 gives each other rank its turn through shared memory, and
 * each waits in another manner. The volatile ones take the same simulated time at every optimisation
 * level. */
#include <RCCE.h>

static int is_set(volatile int *word) { return *word != 0; }

static void wait_for(int manner, volatile int *word) {
  switch (manner % 4) {
  case 0:
    while (*word == 0);
    break;
  case 1:
  again:
    if (*word == 0) goto again;
    break;
  case 2:
    while (!is_set(word));
    break;
  default:
    while (__atomic_load_n((int *)word, __ATOMIC_ACQUIRE) == 0);
    break;
  }
}

int RCCE_APP(int argc, char **argv) {
  volatile int *words;
  double start;
  int rank, n, other;
  RCCE_init(&argc, &argv);
  rank = RCCE_ue();
  n = RCCE_num_ues();
  words = (volatile int *)RCCE_shmalloc(sizeof(int) * 2 * n);
  RCCE_barrier(&RCCE_COMM_WORLD);
  start = RCCE_wtime();
  if (rank == 0) {
    for (other = 1; other < n; other++) {
      rcce_compute(20000);
      words[other] = 1;
      wait_for(other, &words[n + other]);
    }
    printf("%d turns in %.9f s\n", n - 1, RCCE_wtime() - start);
  } else {
    wait_for(rank, &words[rank]);
    words[n + rank] = 1;
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_finalize();
  return 0;
}
