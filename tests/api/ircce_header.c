/* iRCCE.h and iRCCE_lib.h of both generations: constants, layouts, names that expand to others; and that RCCE
 * calls do not make requests progress. */
#define _iRCCE_TAGGED_FLAGS_
#include "iRCCE_lib.h"

#include <stddef.h>

#include "ue_check.h"

static void constants(void) {
  CHECK_INT(iRCCE_SUCCESS, 0);
  CHECK_INT(iRCCE_WAIT_LIST_RECV_TYPE, 0);
  CHECK_INT(iRCCE_WAIT_LIST_SEND_TYPE, 1);
  CHECK_INT(offsetof(iRCCE_SEND_REQUEST, privbuf), 0);
  CHECK_INT(offsetof(iRCCE_SEND_REQUEST, chunk), 16);
  CHECK_INT(offsetof(iRCCE_RECV_REQUEST, finished), offsetof(iRCCE_SEND_REQUEST, finished));
  CHECK_INT(sizeof(iRCCE_WAIT_LISTELEM), 24);
  CHECK_INT(sizeof(iRCCE_WAIT_LIST), 16);
#if ROCKCREEK_IRCCE >= 20
  CHECK(strcmp(iRCCE_VERSION, "2.0") == 0, "version");
  CHECK_INT(iRCCE_ERROR, -1);
  CHECK_INT(iRCCE_PENDING, -2);
  CHECK_INT(iRCCE_RESERVED, -3);
  CHECK_INT(iRCCE_NOT_ENQUEUED, -4);
  CHECK_INT(iRCCE_ANY_SOURCE, -1);
  CHECK_INT(sizeof(RCCE_SEND_REQUEST), 128);
  CHECK_INT(sizeof(RCCE_RECV_REQUEST), 136);
#ifdef _iRCCE_ANY_LENGTH_
  CHECK_INT(iRCCE_ANY_LENGTH, -1);
#endif
#else
  CHECK_INT(iRCCE_PENDING, -1);
  CHECK_INT(iRCCE_RESERVED, -2);
  CHECK_INT(iRCCE_NOT_ENQUEUED, -3);
  CHECK_INT(sizeof(RCCE_SEND_REQUEST), 104);
  CHECK_INT(sizeof(RCCE_RECV_REQUEST), 112);
#endif
#if defined(_iRCCE_ANY_LENGTH_) != \
    (ROCKCREEK_IRCCE >= 20 && !defined(RCCE_VERSION) && !defined(SINGLEBITFLAGS))
#error "any length exists on RCCE 1.0 with big flags"
#endif
}

/* Barriers, blocking messages between others and computing leave a posted request where it is. */
static void no_progress(int me) {
  char out[64] = "message", in[64] = "";
  iRCCE_SEND_REQUEST send;
  iRCCE_RECV_REQUEST receive;
  if (me == 1) CHECK_INT(RCCE_irecv(in, sizeof in, 0, &receive), iRCCE_PENDING);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) CHECK_INT(RCCE_isend(out, sizeof out, 1, &send), iRCCE_PENDING);
  rcce_compute(100000);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 1) CHECK_INT(in[0], 0);
  if (me == 0) CHECK_INT(RCCE_isend_push(), iRCCE_PENDING);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 1) CHECK_INT(RCCE_irecv_push(), iRCCE_SUCCESS);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 1) CHECK(strcmp(in, "message") == 0, "got '%s'", in);
  if (me == 0) {
    CHECK_INT(send.finished, 0);
    CHECK_INT(RCCE_isend_push(), iRCCE_SUCCESS);
    CHECK_INT(send.finished, 1);
  }
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  iRCCE_init();
  constants();
  if (RCCE_num_ues() > 1) no_progress(RCCE_ue());
  RCCE_finalize();
  return check_end();
}
