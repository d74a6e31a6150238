/* RCCE_comm_free prints its warning always, then frees or refuses. Gory, one UE; the printed lines are
 * compared. */
#include "RCCE.h"

#include "ue_check.h"

int RCCE_APP(int argc, char** argv) {
  static RCCE_COMM unset;
  RCCE_COMM comm;
  int value = 5;
  RCCE_init(&argc, &argv);
  memset(&comm, 0, sizeof comm);
  CHECK_INT(RCCE_comm_split(same_color, NULL, &comm), 0);
  CHECK_INT(RCCE_comm_free(&comm), 0);
  CHECK_INT(comm.initialized, -45328976);
  CHECK_INT(comm.size, RCCE_num_ues());
  CHECK_INT(RCCE_comm_size(comm, &value), RCCE_ERROR_COMM_INITIALIZED);
  CHECK_INT(value, 5);
  CHECK_INT(RCCE_comm_free(&comm), RCCE_ERROR_COMM_INITIALIZED);
  RCCE_debug_set(RCCE_DEBUG_COMM);
  CHECK_INT(RCCE_comm_free(&unset), RCCE_ERROR_COMM_INITIALIZED);
  CHECK_INT(RCCE_comm_rank(unset, &value), RCCE_ERROR_COMM_INITIALIZED);
  CHECK_INT(RCCE_comm_split(same_color, NULL, NULL), RCCE_ERROR_COMM_UNDEFINED);
  RCCE_debug_unset(RCCE_DEBUG_COMM);
  CHECK_INT(RCCE_comm_split(same_color, NULL, &comm), 0);
  CHECK_INT(comm.initialized, 45328976);
  CHECK_INT(RCCE_barrier(&comm), 0);
  return check_end();
}
