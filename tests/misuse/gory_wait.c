/* A gory program that waits for a flag which nobody sets; or, with an argument, which UE 0 sets by a store of
   its own. */
#include "RCCE_lib.h"

int RCCE_APP(int argc, char** argv) {
  RCCE_FLAG flag;
  RCCE_FLAG_STATUS seen;
  RCCE_init(&argc, &argv);
  RCCE_flag_alloc(&flag);
  if (RCCE_ue() == 1) RCCE_wait_until(flag, RCCE_FLAG_SET);
  if (argc == 1) return 0;
  rcce_compute(100000);
  RCCE_flag_read(flag, &seen, RCCE_ue()); /* after UE 1 has begun to wait */
  if (RCCE_ue() == 0) RCCE_comm_buffer[1][flag.flag_addr - RCCE_comm_buffer[0]] = RCCE_FLAG_SET;
  RCCE_finalize();
  return 0;
}
