/* A broadcast and a barrier of the algorithms library, by name. */
#include <algorithms/collectives.h>
#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  int value = -1;
  RCCE_init(&argc, &argv);
  if (RCCE_ue() == 2) value = 42;
  rockcreek_prepare("barrier/tree", NULL);
  rockcreek_bcast("bcast/binomial", (char*)&value, sizeof value, 2, NULL);
  rockcreek_barrier("barrier/tree", NULL);
  if (RCCE_ue() == 0) printf("rank 0 of %d has %d\n", RCCE_num_ues(), value);
  RCCE_finalize();
  return 0;
}
