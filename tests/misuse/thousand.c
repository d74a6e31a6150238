/* 1,000 UEs, for hosts that cannot carry them. With an argument each takes all the heap that it gets. */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  if (argc > 1) {
    size_t taken = 0;
    while (malloc(4000) != NULL) ++taken;
    if (taken == 0 || taken > 64) return 1;
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 0) printf("all %d here\n", RCCE_num_ues());
  RCCE_finalize();
  return 0;
}
