/* Errors that communication prints under DEBUG_COMM, non-gory, one UE: which line, how often. */
#include "RCCE.h"

#include "ue_check.h"

int RCCE_APP(int argc, char** argv) {
  int in = 1, out = 0, test = 3;
  RCCE_init(&argc, &argv);
  RCCE_debug_set(RCCE_DEBUG_COMM);
  printf("send\n");
  CHECK_INT(RCCE_send((char*)&in, 4, 1), RCCE_ERROR_ID);
  printf("recv\n");
  CHECK_INT(RCCE_recv((char*)&in, 4, -1), RCCE_ERROR_ID);
  printf("recv_test\n");
  CHECK_INT(RCCE_recv_test((char*)&in, 4, 1, &test), RCCE_ERROR_ID);
  printf("bcast\n");
  CHECK_INT(RCCE_bcast((char*)&in, 4, 1, RCCE_COMM_WORLD), RCCE_ERROR_ID);
  printf("reduce\n");
  CHECK_INT(RCCE_reduce((char*)&in, (char*)&out, 1, RCCE_INT, RCCE_SUM, 1, RCCE_COMM_WORLD), RCCE_ERROR_ID);
  printf("reduce operator\n");
  CHECK_INT(RCCE_reduce((char*)&in, (char*)&out, 1, RCCE_INT, 0, 0, RCCE_COMM_WORLD), RCCE_ERROR_ILLEGAL_OP);
  printf("allreduce type\n");
  CHECK_INT(RCCE_allreduce((char*)&in, (char*)&out, 1, 0, RCCE_SUM, RCCE_COMM_WORLD),
            RCCE_ERROR_ILLEGAL_TYPE);
  RCCE_debug_unset(RCCE_DEBUG_ALL);
  CHECK_INT(RCCE_send((char*)&in, 4, 1), RCCE_ERROR_ID);
  return check_end();
}
