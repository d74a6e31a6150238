/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that do not come to their end, by their first argument: what do recordings say of those who wait
   then? */
#include <stdio.h>
#include <string.h>

#include "RCCE.h"
#include "iRCCE.h"

static char data[256];

/* Ranks 1 to N - 2 send round in a ring of their own; 0 and the last do something and wait for the end. */
static void ring(int me, int ues) {
  if (me == 0) RCCE_send(data, 64, ues - 1);
  if (me == ues - 1) RCCE_recv(data, 64, 0);
  if (me > 0 && me < ues - 1) RCCE_send(data, 64, me % (ues - 2) + 1);
}

/* Rank 1 never comes. */
static void missed(const char *what, int me) {
  iRCCE_SEND_REQUEST send;
  iRCCE_RECV_REQUEST receive;
  if (me == 1) return;
  if (!strcmp(what, "barrier")) RCCE_barrier(&RCCE_COMM_WORLD);
  if (!strcmp(what, "bcast")) RCCE_bcast(data, 64, 1, RCCE_COMM_WORLD);
  if (!strcmp(what, "isend")) {
    iRCCE_isend(data, 64, 1, &send);
    iRCCE_isend_wait(&send);
  }
  if (!strcmp(what, "irecv")) {
    iRCCE_irecv(data, 64, 1, &receive);
    iRCCE_irecv_wait(&receive);
  }
}

int main(int argc, char **argv) {
  const char *what;
  int me, ues;
  volatile int *nowhere = 0;
  volatile long rounds = 0;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  what = argc > 1 ? argv[1] : "";
  me = RCCE_ue();
  ues = RCCE_num_ues();
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (!strcmp(what, "ring")) ring(me, ues);
  if (!strcmp(what, "barrier") || !strcmp(what, "bcast") || !strcmp(what, "isend") ||
      !strcmp(what, "irecv")) {
    missed(what, me);
    if (me == 1) RCCE_recv(data, 32, 1); /* for itself: for good */
  }
  if (!strcmp(what, "lock")) {
    RCCE_acquire_lock(0); /* nobody gives it back */
    if (me == 2) return 0;
  }
  if (!strcmp(what, "ended")) { /* rank 1 has done much and is gone */
    if (me == 1) {
      for (rounds = 0; rounds < 2000; ++rounds) RCCE_wtime();
      return 0;
    }
    RCCE_recv(data, 64, 1);
  }
  if (!strcmp(what, "computes")) {
    if (me == 0) {
      printf("computes for ever\n");
      fflush(stdout);
      for (;;) ++rounds;
    }
    RCCE_recv(data, 64, 0);
  }
  if (!strcmp(what, "crash")) {
    if (me == ues - 1) *nowhere = 1;
    RCCE_recv(data, 64, ues - 1);
  }
  RCCE_finalize();
  return 0;
}
