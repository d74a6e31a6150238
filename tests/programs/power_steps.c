/* Steps the clock of each domain down and up again and times the same piece of communication at every step.
 */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  static const int steps[6] = {3, 4, 8, 16, 4, 3};
  static char data[1024] __attribute__((aligned(4096)));
  int me, n, k;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  for (n = 0; n < 6; ++n) {
    RCCE_REQUEST request;
    int divider = 0, level = 0;
    double start;
    if (RCCE_iset_power(steps[n], &request, &divider, &level)) return 1;
    if (RCCE_wait_power(&request)) return 1;
    RCCE_barrier(&RCCE_COMM_WORLD);
    start = RCCE_wtime();
    for (k = 0; k < 4; ++k)
      if (me == 0) {
        RCCE_send(data, sizeof data, 1);
        RCCE_recv(data, sizeof data, 1);
      } else if (me == 1) {
        RCCE_recv(data, sizeof data, 0);
        RCCE_send(data, sizeof data, 0);
      }
    if (me == 0) printf("divider %d, level %d: %.3f us\n", divider, level, (RCCE_wtime() - start) / 8 * 1e6);
  }
  RCCE_finalize();
  return 0;
}
