/* A token goes round all UEs as often as the argument says; UE 0 counts the rounds in a global of its own. */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

static int rounds;

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  const int me = RCCE_ue(), ues = RCCE_num_ues(), wanted = argc > 1 ? atoi(argv[1]) : 1;
  char token[32] = "token";

  for (int round = 0; round < wanted; ++round) {
    if (me == 0) {
      if (ues > 1) RCCE_send(token, sizeof token, 1);
      if (ues > 1) RCCE_recv(token, sizeof token, ues - 1);
      ++rounds;
    } else {
      RCCE_recv(token, sizeof token, me - 1);
      RCCE_send(token, sizeof token, (me + 1) % ues);
    }
  }
  if (me == 0) printf("token came round %d times over %d UEs\n", rounds, ues);
  RCCE_finalize();
  return 0;
}
