/* A row of cells, cut in strips, is averaged with its neighbours again and again, with its ends held at 0 and
 * 1. Both the sum of all cells and the straight line that it tends to are known, and the strips must not
 * show. */
#include <math.h>
#include "RCCE.h"

#define CELLS 240

static double cell[2][CELLS + 2];

int RCCE_APP(int argc, char **argv) {
  int me, n, here, iterations = 10, it, i, now = 0;
  double sum = 0, total = 0, alone[2][CELLS + 2], expected = 0, error, start;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  n = RCCE_num_ues();
  here = CELLS / n;
  if (argc > 1) iterations = atoi(argv[1]);

  for (i = 0; i < CELLS + 2; i++) cell[0][i] = cell[1][i] = 0;
  if (me == n - 1) cell[0][here + 1] = cell[1][here + 1] = 1;
  start = RCCE_wtime();
  for (it = 0; it < iterations; it++, now = !now) {
    double *a = cell[now], *b = cell[!now];
    if (me % 2 == 0) {
      if (me < n - 1) RCCE_send((char *)&a[here], sizeof *a, me + 1);
      if (me > 0) RCCE_recv((char *)&a[0], sizeof *a, me - 1);
      if (me > 0) RCCE_send((char *)&a[1], sizeof *a, me - 1);
      if (me < n - 1) RCCE_recv((char *)&a[here + 1], sizeof *a, me + 1);
    } else {
      RCCE_recv((char *)&a[0], sizeof *a, me - 1);
      if (me < n - 1) RCCE_send((char *)&a[here], sizeof *a, me + 1);
      if (me < n - 1) RCCE_recv((char *)&a[here + 1], sizeof *a, me + 1);
      RCCE_send((char *)&a[1], sizeof *a, me - 1);
    }
    for (i = 1; i <= here; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    if (me == n - 1) b[here + 1] = 1;
  }
  for (i = 1; i <= here; i++) sum += cell[now][i];
  RCCE_reduce((char *)&sum, (char *)&total, 1, RCCE_DOUBLE, RCCE_SUM, 0, RCCE_COMM_WORLD);

  if (me == 0) {
    printf("Total time: %lf\n", RCCE_wtime() - start);
    for (i = 0; i < CELLS + 2; i++) alone[0][i] = alone[1][i] = i == CELLS + 1;
    for (it = 0; it < iterations; it++)
      for (i = 1; i <= CELLS; i++) alone[!(it & 1)][i] = 0.5 * (alone[it & 1][i - 1] + alone[it & 1][i + 1]);
    for (i = 1; i <= CELLS; i++) expected += alone[iterations & 1][i];
    error = fabs(total - expected);
    printf("Checksum = %lf  Verification value = %lf, error = %lf; run %s", total, expected, error,
           error < 1e-9 ? "SUCCESSFUL" : "UNSUCCESSFUL");
  }
  RCCE_finalize();
  return 0;
}
