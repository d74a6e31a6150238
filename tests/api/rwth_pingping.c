/* In the manner of RWTH's pingpong and pingping: RCCE.h alone, static buffers, two of the UEs exchange
 * messages one way and back, then both ways at once; the time of a message is that of several rounds. */
#include <stdio.h>

#include "RCCE.h"

#include "ue_check.h"

#define LARGEST (1 << 20)
#define ROUNDS 3

static char outgoing[64 << 20], incoming[64 << 20];

int RCCE_APP(int argc, char** argv) {
  int me, ues, round;
  size_t size;
  double single = 0, twofold = 0, before = 0;
  RCCE_SEND_REQUEST send;
  RCCE_RECV_REQUEST receive;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  for (size = 0; size <= LARGEST; size = size ? size * 8 : 1) {
    const int other = me == 0 ? ues - 1 : 0;
    fill_pattern((unsigned char*)outgoing, me, size);
    RCCE_barrier(&RCCE_COMM_WORLD);
    single = RCCE_wtime();
    for (round = 0; round < ROUNDS; round++) {
      if (me == 0) {
        RCCE_send(outgoing, size, other);
        RCCE_recv(incoming, size, other);
      } else if (me == ues - 1) {
        RCCE_recv(incoming, size, other);
        RCCE_send(outgoing, size, other);
      }
    }
    single = RCCE_wtime() - single;
    RCCE_barrier(&RCCE_COMM_WORLD);
    twofold = RCCE_wtime();
    if (me == 0 || me == ues - 1)
      for (round = 0; round < ROUNDS; round++) {
        RCCE_isend(outgoing, size, other, &send);
        RCCE_irecv(incoming, size, other, &receive);
        RCCE_isend_wait(&send);
        RCCE_irecv_wait(&receive);
      }
    twofold = RCCE_wtime() - twofold;
    if (me == 0 || me == ues - 1) {
      CHECK(find_fault((unsigned char*)incoming, other, size) < 0, "%lu bytes", (unsigned long)size);
      if (size > 64)
        CHECK(single > before, "%lu bytes take %g s, fewer took %g s", (unsigned long)size, single, before);
      CHECK(twofold < single, "%lu bytes: both ways %g s, one way and back %g s", (unsigned long)size,
            twofold, single);
      before = single;
    }
  }
  RCCE_finalize();
  return check_end();
}
