/* A gory program that waits for a flag which nobody sets. */
#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  RCCE_FLAG flag;
  RCCE_init(&argc, &argv);
  RCCE_flag_alloc(&flag);
  if (RCCE_ue() == 1) RCCE_wait_until(flag, RCCE_FLAG_SET);
  return 0;
}
