/* Barrier, broadcast, reduction over all UEs, with data on the heap; times in simulated
 * microseconds. */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

static double lap(double* start) {
  double now, passed;
  RCCE_barrier(&RCCE_COMM_WORLD);
  now = RCCE_wtime();
  passed = now - *start;
  *start = now;
  return passed * 1e6;
}

int RCCE_APP(int argc, char** argv) {
  double start, *in, *out, *small;
  int me, n;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  in = malloc(3000 * sizeof(double));
  out = malloc(3000 * sizeof(double));
  small = malloc(100 * sizeof(double));
  for (n = 0; n < 3000; ++n) in[n] = me + n;
  for (n = 0; n < 100; ++n) small[n] = n;
  start = RCCE_wtime();
  lap(&start);
  for (n = 0; n < 2; ++n) {
    double t = lap(&start);
    if (me == 0) printf("barrier: %.3f us\n", t);
    RCCE_bcast((char*)small, 100 * sizeof(double), 0, RCCE_COMM_WORLD);
    t = lap(&start);
    if (me == 0) printf("bcast of 800 B: %.3f us\n", t);
    RCCE_bcast((char*)out, 3000 * sizeof(double), RCCE_num_ues() / 2, RCCE_COMM_WORLD);
    t = lap(&start);
    if (me == 0) printf("bcast of 24000 B: %.3f us\n", t);
    RCCE_allreduce((char*)in, (char*)out, 3000, RCCE_DOUBLE, RCCE_SUM, RCCE_COMM_WORLD);
    t = lap(&start);
    if (me == 0) printf("allreduce of 3000 doubles: %.3f us\n", t);
  }
  RCCE_finalize();
  return 0;
}
