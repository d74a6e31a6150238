/* Both sides send first, then receive: what blocking calls cannot do. The second UE of each pair checks, both
 * print the simulated time of one exchange per size. */
#include <string.h>

#include "iRCCE.h"

enum { largest = 65536, rounds = 3 };
static char outgoing[largest], incoming[largest];

int RCCE_APP(int argc, char **argv) {
  int me, ues, partner, size, i, wrong = 0;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  me = RCCE_ue();
  ues = RCCE_num_ues();
  partner = me ^ 1;
  if (partner >= ues) partner = me;
  for (size = 1; size <= largest; size *= 4) {
    double begin = 0;
    for (i = 0; i <= rounds; ++i) {
      iRCCE_SEND_REQUEST send;
      iRCCE_RECV_REQUEST receive;
      if (i == 1) begin = RCCE_wtime(); /* the first round fills the caches */
      memset(outgoing, me + i, size);
      iRCCE_isend(outgoing, size, partner, &send);
      iRCCE_irecv(incoming, size, partner, &receive);
      iRCCE_isend_wait(&send);
      iRCCE_irecv_wait(&receive);
      if (incoming[0] != (char)(partner + i) || memcmp(incoming, incoming + 1, size - 1) != 0) ++wrong;
    }
    if (me < 2) printf("rank %d: %6d bytes: %.3f us\n", me, size, (RCCE_wtime() - begin) / rounds * 1e6);
    RCCE_barrier(&RCCE_COMM_WORLD);
  }
  if (wrong) printf("rank %d: %d wrong messages\n", me, wrong);
  RCCE_finalize();
  return wrong != 0;
}
