/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks 0 and 1 wait for each other, 2 sleeps and 3 computes, for ever. */
#include <stdio.h>
#include <unistd.h>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  volatile unsigned long rounds = 0;
  char byte = 0;
  RCCE_init(&argc, &argv);
  printf("rank %d is process %d\n", RCCE_ue(), (int)getpid());
  fflush(stdout);
  if (RCCE_ue() < 2) RCCE_recv(&byte, 1, 1 - RCCE_ue());
  while (RCCE_ue() == 2) usleep(100000);
  for (;;) ++rounds;
}
