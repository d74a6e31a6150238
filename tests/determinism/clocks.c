/* SPDX-License-Identifier: Apache-2.0 */
/* Prints each UE's clock, in picoseconds, behind every kind of communication in which nothing depends on who
 * comes first: messages of one line and of many, collectives, a lock that goes round. */
#include <stdio.h>

#include "RCCE.h"

/* Not in every header. */
int RCCE_acquire_lock(int);
int RCCE_release_lock(int);

static void tell(const char* what) {
  printf("rank %d: %.0f ps, %s\n", RCCE_ue(), RCCE_wtime() * 1e12, what);
}

/* To the right, from the left; rank 0 begins. */
static void ring(char* data, int bytes) {
  const int me = RCCE_ue(), ues = RCCE_num_ues(), left = (me + ues - 1) % ues, right = (me + 1) % ues;
  if (me == 0) RCCE_send(data, bytes, right);
  RCCE_recv(data, bytes, left);
  if (me != 0) RCCE_send(data, bytes, right);
}

int RCCE_APP(int argc, char** argv) {
  static char out[20000] __attribute__((aligned(4096))), in[20000] __attribute__((aligned(4096)));
  static double sums[600];
  const int lengths[5] = {1, 32, 33, 4000, 20000};
  int i, me;
  char token = 0;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  tell("start");
  RCCE_barrier(&RCCE_COMM_WORLD);
  tell("barrier");
  for (i = 0; i < 5; ++i) {
    ring(out, lengths[i]);
    tell("ring");
  }
  RCCE_bcast(in, sizeof in, RCCE_num_ues() - 1, RCCE_COMM_WORLD);
  tell("broadcast");
  RCCE_allreduce((char*)sums, (char*)sums, 600, RCCE_DOUBLE, RCCE_SUM, RCCE_COMM_WORLD);
  tell("reduction");
  if (me != 0) RCCE_recv(&token, 1, me - 1);
  RCCE_acquire_lock(0);
  RCCE_release_lock(0);
  if (me != RCCE_num_ues() - 1) RCCE_send(&token, 1, me + 1);
  tell("lock");
  RCCE_finalize();
  tell("end");
  return 0;
}
