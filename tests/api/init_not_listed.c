/* RCCE_init on a core that its own vector does not list: error 27, rank stays -1, the vector is stripped all
 * the same. */
#include "RCCE.h"

#include "ue_check.h"

int RCCE_APP(int argc, char** argv) {
  static char other_core[] = "47";
  int raw_count = argc;
  int ues = atoi(argv[1]);
  argv[3] = other_core;
  if (raw_count > 3 + ues) RCCE_debug_set(RCCE_DEBUG_ALL);
  CHECK_INT(RCCE_init(&argc, &argv), RCCE_ERROR_CORE_NOT_IN_HOSTFILE);
  CHECK_INT(RCCE_ue(), -1);
  CHECK_INT(RCCE_num_ues(), ues);
  CHECK_INT(argc, raw_count - ues - 2);
  printf(check_failures ? "failed\n" : "ok\n");
  return check_failures != 0;
}
