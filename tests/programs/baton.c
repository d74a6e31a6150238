/* A baton in shared memory: each UE waits until the plain word shows its rank, adds to a sum behind it and
 * passes on. There is no library call in the waiting loop. */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  volatile int *baton, *sum;
  int me, ues, lap, laps = 3;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  baton = (volatile int*)RCCE_shmalloc(sizeof(int));
  sum = (volatile int*)RCCE_shmalloc(sizeof(int));
  for (lap = 0; lap < laps; ++lap) {
    while (*baton != lap * ues + me) {
    }
    *sum += me + 1;
    RCCE_shflush();
    *baton += 1;
  }
  if (me == 0) {
    while (*baton < laps * ues) {
    }
    printf("sum %d, expected %d\n", *sum, laps * ues * (ues + 1) / 2);
    return *sum != laps * ues * (ues + 1) / 2;
  }
  return 0; /* the original of this kind never calls RCCE_finalize */
}
