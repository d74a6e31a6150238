/* UE 1 waits for a number that no flag holds: a counter's, which comes round at 256. */
#include "RCCE_lib.h"

int RCCE_APP(int argc, char** argv) {
  RCCE_FLAG flag;
  RCCE_init(&argc, &argv);
  RCCE_flag_alloc(&flag);
  if (RCCE_ue() == 1) RCCE_wait_until(flag, 256);
  RCCE_barrier(&RCCE_COMM_WORLD);
  return RCCE_finalize();
}
