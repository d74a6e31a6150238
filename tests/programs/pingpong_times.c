/* Round trips between the first and the last UE; the times are simulated and so always the same. */
#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  static char data[65536] __attribute__((aligned(4096)));
  static const int lengths[6] = {1, 32, 1024, 8192, 20000, 65536};
  int me, last, n, k;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  last = RCCE_num_ues() - 1;
  for (n = 0; n < 6; ++n) {
    double start = RCCE_wtime();
    for (k = 0; k < 3; ++k)
      if (me == 0) {
        RCCE_send(data, lengths[n], last);
        RCCE_recv(data, lengths[n], last);
      } else if (me == last) {
        RCCE_recv(data, lengths[n], 0);
        RCCE_send(data, lengths[n], 0);
      }
    if (me == 0) printf("%6d B: %.4f us\n", lengths[n], (RCCE_wtime() - start) / 6 * 1e6);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_finalize();
  return 0;
}
