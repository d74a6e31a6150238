/* The pipelined calls between the first and the last UE: simulated half round trip per size. */
#include <string.h>

#include "iRCCE.h"

enum { largest = 131072, rounds = 3 };
static char message[largest];

int RCCE_APP(int argc, char **argv) {
  int me, last, size, i;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  me = RCCE_ue();
  last = RCCE_num_ues() - 1;
  if (last < 1) {
    fprintf(stderr, "needs 2 UEs\n");
    exit(-1);
  }
  for (size = 1; size <= largest; size *= 2) {
    double begin = 0;
    for (i = 0; i <= rounds; ++i) {
      if (i == 1) begin = RCCE_wtime();
      if (me == 0) {
        iRCCE_send(message, size, last);
        iRCCE_recv(message, size, last);
      } else if (me == last) {
        iRCCE_recv(message, size, 0);
        iRCCE_send(message, size, 0);
      }
    }
    if (me == 0) printf("%6d bytes: %.3f us\n", size, (RCCE_wtime() - begin) / rounds / 2 * 1e6);
  }
  RCCE_finalize();
  return 0;
}
