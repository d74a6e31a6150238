// UE 1 of several leaves before a barrier by atomic counters, for which the others sleep.
#include <stdlib.h>

#include "RCCE.h"
#include "iRCCE.h"

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  iRCCE_init();
  if (RCCE_ue() == 1) exit(0);
  iRCCE_barrier(NULL);
  return RCCE_finalize();
}
