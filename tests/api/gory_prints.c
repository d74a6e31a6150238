/* What gory calls print under their debug switches, and the collectives that are not there. One UE, output
 * compared. */
#include "RCCE.h"

#include "ue_check.h"

/* In the archive, though RCCE.h does not declare them in this mode. */
extern int RCCE_bcast(char*, size_t, int, RCCE_COMM);
extern int RCCE_reduce(char*, char*, int, int, int, int, RCCE_COMM);
extern int RCCE_allreduce(char*, char*, int, int, int, RCCE_COMM);

int RCCE_APP(int argc, char** argv) {
  RCCE_FLAG flag;
  t_vcharp buffer;
  int value = 0;
  RCCE_init(&argc, &argv);
  buffer = RCCE_malloc(32);
  RCCE_flag_alloc(&flag);
  CHECK_INT(RCCE_put(buffer, NULL, 32, 0), RCCE_ERROR_SOURCE);
  RCCE_debug_set(RCCE_DEBUG_COMM);
  printf("put, get\n");
  CHECK_INT(RCCE_put(buffer, NULL, 32, 0), RCCE_ERROR_SOURCE);
  CHECK_INT(RCCE_get(NULL, buffer, 32, 0), RCCE_ERROR_TARGET);
  CHECK_INT(RCCE_flag_write(&flag, 2, 0), RCCE_ERROR_FLAG_STATUS_UNDEFINED);
  RCCE_debug_unset(RCCE_DEBUG_ALL);
  RCCE_debug_set(RCCE_DEBUG_SYNCH);
  printf("flags\n");
  CHECK_INT(RCCE_put(buffer, NULL, 32, 0), RCCE_ERROR_SOURCE);
  CHECK_INT(RCCE_flag_write(&flag, 2, 0), RCCE_ERROR_FLAG_STATUS_UNDEFINED);
  CHECK_INT(RCCE_flag_write(&flag, 1, 7), RCCE_ERROR_ID);
  CHECK_INT(RCCE_wait_until(flag, 3), RCCE_ERROR_FLAG_STATUS_UNDEFINED);
  RCCE_debug_unset(RCCE_DEBUG_ALL);
  printf("collectives\n");
  CHECK_INT(RCCE_bcast((char*)&value, 4, 0, RCCE_COMM_WORLD), 1);
  CHECK_INT(RCCE_reduce((char*)&value, (char*)&value, 1, RCCE_INT, RCCE_SUM, 0, RCCE_COMM_WORLD), 1);
  CHECK_INT(RCCE_reduce((char*)&value, (char*)&value, 1, RCCE_INT, RCCE_SUM, 9, RCCE_COMM_WORLD),
            RCCE_ERROR_ID);
  CHECK_INT(RCCE_allreduce((char*)&value, (char*)&value, 1, RCCE_INT, RCCE_SUM, RCCE_COMM_WORLD), 1);
  RCCE_debug_set(RCCE_DEBUG_COMM);
  CHECK_INT(RCCE_allreduce((char*)&value, (char*)&value, 1, RCCE_INT, RCCE_SUM, RCCE_COMM_WORLD), 1);
  return check_end();
}
