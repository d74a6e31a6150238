/* Wait lists, cancelling, and queries of requests. */
#include "iRCCE_lib.h"

#include "ue_check.h"

enum { parts = 6, bytes = 5000 };
static unsigned char out[parts][bytes], in[parts][bytes];
static iRCCE_SEND_REQUEST sends[parts];
static iRCCE_RECV_REQUEST receives[parts];

static void post(iRCCE_WAIT_LIST* list, int to, int from) {
  int i;
  memset(in, POISON, sizeof in);
  for (i = 0; i < parts; ++i) {
    fill_pattern(out[i], RCCE_ue() + i, bytes);
    iRCCE_isend((char*)out[i], bytes, to, &sends[i]);
    iRCCE_irecv((char*)in[i], bytes, from, &receives[i]);
    iRCCE_add_to_wait_list(list, &sends[i], &receives[i]);
  }
}

static void check_parts(int from) {
  int i;
  for (i = 0; i < parts; ++i) CHECK(find_fault(in[i], from + i, bytes) < 0, "part %d from %d", i, from);
}

static void cancel(int me) {
  iRCCE_SEND_REQUEST* none = NULL;
  int test = 7;
  CHECK_INT(iRCCE_isend_cancel(none, &test), iRCCE_NOT_ENQUEUED);
  CHECK_INT(test, 0);
  CHECK_INT(iRCCE_irecv_cancel(NULL, NULL), iRCCE_NOT_ENQUEUED);
  iRCCE_isend((char*)out[0], bytes, me, &sends[0]);
  iRCCE_isend((char*)out[1], bytes, me, &sends[1]);
  iRCCE_isend((char*)out[2], bytes, me, &sends[2]);
  CHECK_INT(iRCCE_isend_cancel(&sends[0], &test), iRCCE_PENDING);
  CHECK_INT(test, 0);
  CHECK_INT(iRCCE_isend_cancel(&sends[1], &test), iRCCE_SUCCESS);
  CHECK_INT(test, 1);
  CHECK_INT(sends[1].finished, 0);
  CHECK(sends[0].next == &sends[2], "the queue after a cancelled request");
  CHECK_INT(iRCCE_isend_cancel(&sends[1], &test), iRCCE_NOT_ENQUEUED);
  CHECK_INT(test, 0);
  memset(in, POISON, sizeof in);
  iRCCE_irecv((char*)in[0], bytes, me, &receives[0]);
  iRCCE_irecv((char*)in[1], bytes, me, &receives[1]);
  iRCCE_irecv((char*)in[2], bytes, me, &receives[2]);
  CHECK_INT(iRCCE_irecv_cancel(&receives[0], &test), iRCCE_PENDING); /* its first segment is there */
  CHECK_INT(test, 0);
  CHECK_INT(iRCCE_irecv_cancel(&receives[1], &test), iRCCE_SUCCESS);
  CHECK_INT(test, 1);
  CHECK_INT(iRCCE_irecv_wait(&receives[2]), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_irecv_cancel(&receives[2], &test), iRCCE_NOT_ENQUEUED);
  CHECK_INT(iRCCE_isend_cancel(&sends[2], &test), iRCCE_PENDING); /* not yet seen that it was fetched */
  iRCCE_isend_wait(NULL);
  CHECK_INT(iRCCE_isend_cancel(&sends[2], &test), iRCCE_NOT_ENQUEUED);
  CHECK(find_unpoisoned(in[1], bytes) < 0, "a cancelled receive got something");
  CHECK(memcmp(in[2], out[2], bytes) == 0, "the message behind the cancelled ones");
  /* a head that nothing has come for */
  CHECK_INT(iRCCE_irecv((char*)in[3], bytes, me, &receives[3]), iRCCE_PENDING);
  CHECK_INT(iRCCE_irecv_cancel(&receives[3], &test), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_irecv_push(), iRCCE_SUCCESS);
}

int RCCE_APP(int argc, char** argv) {
  static unsigned char mine[bytes], to_myself[bytes];
  int me, ues, next, before, i, test, left;
  iRCCE_SEND_REQUEST last_send;
  iRCCE_RECV_REQUEST last_receive;
  iRCCE_WAIT_LIST list, empty;
  iRCCE_SEND_REQUEST* send;
  iRCCE_RECV_REQUEST* receive;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  me = RCCE_ue();
  ues = RCCE_num_ues();
  next = (me + 1) % ues;
  before = (me + ues - 1) % ues;

  iRCCE_init_wait_list(&empty);
  CHECK(empty.first == NULL, "an empty list");
  test = 7;
  CHECK_INT(iRCCE_test_all(&empty, &test), iRCCE_SUCCESS);
  CHECK_INT(test, 1);
  CHECK_INT(iRCCE_wait_all(&empty), iRCCE_SUCCESS);
  send = &sends[0];
  CHECK_INT(iRCCE_test_any(&empty, &send, NULL), iRCCE_PENDING);
  CHECK(send == NULL, "nothing in an empty list");

  iRCCE_init_wait_list(&list);
  post(&list, next, before);
  CHECK(list.first->type == iRCCE_WAIT_LIST_SEND_TYPE && list.first->req == &sends[0], "the first element");
  CHECK(list.first->next->type == iRCCE_WAIT_LIST_RECV_TYPE && list.first->next->req == &receives[0],
        "the second element");
  /* The others may be so fast that one pass finds all of theirs done, but not this: it is not on its way. */
  iRCCE_irecv((char*)mine, bytes, me, &last_receive);
  iRCCE_add_to_wait_list(&list, NULL, &last_receive);
  CHECK_INT(iRCCE_test_all(&list, NULL), iRCCE_PENDING);
  CHECK(list.first != NULL, "a list with a message that nobody has sent");
  fill_pattern(to_myself, me, bytes);
  iRCCE_isend((char*)to_myself, bytes, me, &last_send);
  iRCCE_add_to_wait_list(&list, &last_send, NULL);
  CHECK_INT(iRCCE_wait_all(&list), iRCCE_SUCCESS);
  CHECK(list.first == NULL, "a list after waiting for all");
  check_parts(before);
  CHECK(find_fault(mine, me, bytes) < 0, "the message to oneself");

  post(&list, next, before);
  do {
    i = iRCCE_test_all(&list, &test);
    CHECK_INT(i, test ? iRCCE_SUCCESS : iRCCE_PENDING);
  } while (!test);
  check_parts(before);

  post(&list, next, before);
  for (left = 2 * parts; left > 0; --left) {
    CHECK_INT(iRCCE_wait_any(&list, &send, &receive), iRCCE_SUCCESS);
    CHECK((send == NULL) != (receive == NULL), "one of both");
    CHECK_INT(send ? send->finished : receive->finished, 1);
    if (receive) CHECK_INT(receive->source, before);
  }
  CHECK(list.first == NULL, "a list after all of its requests");
  check_parts(before);

  post(&list, next, before);
  for (left = 2 * parts; left > 0;) {
    const int state = iRCCE_test_any(&list, &send, &receive);
    if (state == iRCCE_SUCCESS) --left;
    CHECK_INT(state, send || receive ? iRCCE_SUCCESS : iRCCE_PENDING);
  }
  check_parts(before);

  /* Refilled while in use; outputs left out. */
  post(&list, next, before);
  CHECK_INT(iRCCE_wait_any(&list, NULL, NULL), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_wait_all(&list), iRCCE_SUCCESS);
  check_parts(before);

  RCCE_barrier(&RCCE_COMM_WORLD);
  cancel(me);
#if ROCKCREEK_IRCCE >= 20
  CHECK_INT(iRCCE_get_dest(&sends[0]), me);
  CHECK_INT(iRCCE_get_dest(NULL), iRCCE_ERROR);
  CHECK_INT(iRCCE_get_source(&receives[0]), me);
  CHECK_INT(iRCCE_get_source(NULL), me);
  CHECK_INT(iRCCE_get_size(&sends[0], NULL), bytes);
  CHECK_INT(iRCCE_get_size(NULL, &receives[0]), bytes);
  CHECK_INT(iRCCE_get_size(NULL, NULL), bytes);
  CHECK_INT(iRCCE_get_length(), bytes);
  CHECK_INT(iRCCE_get_status(NULL, NULL), iRCCE_ERROR);
  CHECK_INT(iRCCE_get_status(&sends[0], NULL), iRCCE_SUCCESS);
  iRCCE_irecv((char*)in[0], bytes, me, &receives[0]);
  iRCCE_irecv((char*)in[1], bytes, me, &receives[1]);
  CHECK_INT(iRCCE_get_status(NULL, &receives[0]), iRCCE_PENDING);
  CHECK_INT(iRCCE_get_status(NULL, &receives[1]), iRCCE_RESERVED);
  iRCCE_isend((char*)out[0], bytes, me, NULL);
  iRCCE_isend((char*)out[1], bytes, me, NULL);
  CHECK_INT(iRCCE_irecv_wait(NULL), iRCCE_SUCCESS);
  CHECK_INT(receives[1].finished, 1);
#endif
  return check_finalize();
}
