/* iRCCE.h and iRCCE_lib.h of both generations: constants, layouts, names that expand to others, the address
 * of every function and variable; and that RCCE calls do not make requests progress. */
#define _iRCCE_TAGGED_FLAGS_
#include "iRCCE_lib.h"

#include <stddef.h>

#include "ue_check.h"

static const void *const functions[] = {
    (void *)iRCCE_init,
    (void *)iRCCE_isend,
    (void *)iRCCE_isend_test,
    (void *)iRCCE_isend_wait,
    (void *)iRCCE_isend_push,
    (void *)iRCCE_irecv,
    (void *)iRCCE_irecv_test,
    (void *)iRCCE_irecv_wait,
    (void *)iRCCE_irecv_push,
    (void *)iRCCE_send,
    (void *)iRCCE_recv,
    (void *)iRCCE_init_wait_list,
    (void *)iRCCE_add_to_wait_list,
    (void *)iRCCE_test_all,
    (void *)iRCCE_wait_all,
    (void *)iRCCE_test_any,
    (void *)iRCCE_wait_any,
    (void *)iRCCE_isend_cancel,
    (void *)iRCCE_irecv_cancel,
    (void *)iRCCE_put,
    (void *)iRCCE_get,
    (void *)iRCCE_memcpy_put,
    (void *)iRCCE_memcpy_get,
    (void *)iRCCE_add_send_to_wait_list,
    (void *)iRCCE_add_recv_to_wait_list,
    (void *)iRCCE_test_flag,
    (void *)&iRCCE_isend_queue,
    (void *)iRCCE_irecv_queue,
#if ROCKCREEK_IRCCE >= 20
    (void *)iRCCE_ssend,
    (void *)iRCCE_srecv,
    (void *)iRCCE_srecv_test,
    (void *)iRCCE_recv_test,
    (void *)iRCCE_issend,
    (void *)iRCCE_isrecv,
    (void *)iRCCE_probe,
    (void *)iRCCE_iprobe,
    (void *)iRCCE_get_dest,
    (void *)iRCCE_get_source,
    (void *)iRCCE_get_size,
    (void *)iRCCE_get_length,
    (void *)iRCCE_malloc,
    (void *)iRCCE_memcpy,
    (void *)iRCCE_flag_alloc,
    (void *)iRCCE_flag_write,
    (void *)iRCCE_flag_read,
    (void *)iRCCE_wait_until,
    (void *)iRCCE_barrier,
    (void *)iRCCE_mcast,
    (void *)iRCCE_msend,
    (void *)iRCCE_mrecv,
    (void *)iRCCE_bcast,
    (void *)iRCCE_get_status,
    (void *)iRCCE_push_ssend_request,
    (void *)iRCCE_push_srecv_request,
    (void *)iRCCE_issend_test,
    (void *)iRCCE_isrecv_push,
    (void *)&iRCCE_irecv_any_source_queue,
    (void *)&iRCCE_ANY_SOURCE,
#ifndef SINGLEBITFLAGS
    (void *)RCCE_flag_alloc_tagged,
    (void *)RCCE_flag_write_tagged,
    (void *)RCCE_flag_read_tagged,
    (void *)RCCE_wait_tagged,
    (void *)RCCE_test_tagged,
    (void *)iRCCE_get_max_tagged_len,
#endif
#ifdef AIR
    (void *)iRCCE_atomic_alloc,
    (void *)iRCCE_atomic_inc,
    (void *)iRCCE_atomic_read,
    (void *)iRCCE_atomic_write,
    (void *)iRCCE_atomic_inc_regs,
    (void *)&iRCCE_atomic_alloc_counter,
    (void *)iRCCE_atomic_barrier,
#endif
#endif
};

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
  unsigned i;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  for (i = 0; i < sizeof functions / sizeof *functions; ++i) CHECK(functions[i] != NULL, "entry %u", i);
  constants();
  if (RCCE_num_ues() > 1) no_progress(RCCE_ue());
  RCCE_finalize();
  return check_end();
}
