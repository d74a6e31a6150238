/* Wrong uses of iRCCE, one by each word: what they report is checked by the tests. */
#include "iRCCE.h"
#include <string.h>

#if ROCKCREEK_IRCCE < 20 /* has no multicast: the tests ask it of 2.0 only */
#define iRCCE_mcast(buffer, size, root) ((void)(size))
#endif

static char buffer[20000], other[20000];
static iRCCE_SEND_REQUEST send, second_send;
static iRCCE_RECV_REQUEST receive, second_receive;

/* A call of RWTH's RCCE, which has requests of its own. */
static void rwth_call(void) {
#ifdef ROCKCREEK_RWTH
  int test;
  RCCE_recv_probe(0, &test, NULL);
#endif
}

int RCCE_APP(int argc, char** argv) {
  const char* kind;
  iRCCE_WAIT_LIST list;
  int me, ues;
  RCCE_init(&argc, &argv);
  kind = argc > 1 ? argv[1] : "";
  if (!strcmp(kind, "wait-any-after-rwth")) rwth_call();
  iRCCE_init();
  me = RCCE_ue();
  ues = RCCE_num_ues();
  if (!strcmp(kind, "nobody-receives")) {
    if (me == 0) {
      iRCCE_isend(buffer, 640, 1, &send);
      iRCCE_isend_wait(&send);
    } else {
      RCCE_barrier(&RCCE_COMM_WORLD);
    }
  } else if (!strcmp(kind, "cycle")) {
    iRCCE_send(buffer, 64, (me + 1) % ues);
    iRCCE_recv(buffer, 64, (me + ues - 1) % ues);
  } else if (!strcmp(kind, "lists")) {
    iRCCE_init_wait_list(&list);
    iRCCE_irecv(buffer, 77, (me + 1) % ues, &receive);
    iRCCE_add_to_wait_list(&list, NULL, &receive);
    iRCCE_wait_all(&list);
  } else if (!strcmp(kind, "head-of-line")) {
    /* 1 waits for a message that is queued behind one to 2, who waits for 1 */
    if (me == 0) {
      iRCCE_isend(buffer, 32, 2, &send);
      iRCCE_isend(buffer, 32, 1, &second_send);
      iRCCE_isend_wait(&second_send);
    } else if (me == 1) {
      iRCCE_irecv(buffer, 32, 0, NULL);
      RCCE_send(buffer, 32, 2);
    } else {
      RCCE_recv(buffer, 32, 1);
      iRCCE_irecv(buffer, 32, 0, NULL);
    }
  } else if (!strcmp(kind, "not-in-the-list")) {
    /* 0 waits for the answer to a message that it does not go on with */
    if (me == 0) {
      iRCCE_isend(buffer, 20000, 1, &send);
      iRCCE_init_wait_list(&list);
      iRCCE_irecv(other, 32, 1, &receive);
      iRCCE_add_to_wait_list(&list, NULL, &receive);
      iRCCE_wait_all(&list);
    } else {
      RCCE_recv(buffer, 20000, 0);
      RCCE_send(other, 32, 0);
    }
  } else if (!strcmp(kind, "tested-behind-another")) {
    if (me == 0) {
      iRCCE_isend(buffer, 32, 1, &send);
      iRCCE_isend(other, 64, 1, &second_send);
      while (iRCCE_isend_test(&second_send, NULL) != iRCCE_SUCCESS) {
      }
    }
  } else if (!strcmp(kind, "empty-inside")) { /* right: no bytes are shared */
    if (me == 0) RCCE_send(buffer, 64, 1);
    if (me == 1) {
      iRCCE_irecv(buffer, 64, 0, &receive);
      iRCCE_irecv(buffer + 32, 0, 0, &second_receive);
      iRCCE_irecv_wait(&receive);
      iRCCE_irecv_wait(&second_receive);
    }
  } else if (!strcmp(kind, "size")) {
    if (me == 0) iRCCE_isend(buffer, 9000, 1, NULL);
    if (me == 1) iRCCE_irecv(buffer, 64, 0, NULL);
  } else if (!strcmp(kind, "size-same-pieces")) {
    if (me == 0) iRCCE_isend(buffer, 64, 1, NULL);
    if (me == 1) iRCCE_irecv(buffer, 96, 0, NULL);
  } else if (!strcmp(kind, "size-of-multicast")) {
    iRCCE_mcast(buffer, 64 + 32 * (me == 1) - 32 * (me == 2), 0);
    printf("rank %d ok\n", me);
  } else if (!strcmp(kind, "multicast-missed")) {
    if (me != 2) iRCCE_mcast(buffer, 64, 0);
    if (me == 2) RCCE_recv(buffer, 64, 1);
  } else if (!strncmp(kind, "wait-any", 8)) {
    if (me == 0) {
      if (!strcmp(kind, "wait-any-before-rwth")) rwth_call();
      iRCCE_init_wait_list(&list);
      iRCCE_irecv(buffer, 64, 1, &receive);
      iRCCE_irecv(other, 32, 2, &second_receive);
      iRCCE_add_to_wait_list(&list, NULL, &receive);
      iRCCE_add_to_wait_list(&list, NULL, &second_receive);
      iRCCE_wait_any(&list, NULL, NULL);
    }
  } else if (!strcmp(kind, "negative-copy")) {
#if ROCKCREEK_IRCCE >= 20
    iRCCE_memcpy_get(buffer, other, (size_t)-32);
#endif
  } else if (!strcmp(kind, "posted-twice")) {
    iRCCE_isend(buffer, 64, (me + 1) % ues, &send);
    iRCCE_isend(buffer, 64, (me + 1) % ues, &send);
  } else if (!strcmp(kind, "never-posted")) {
    iRCCE_isend_wait(&send);
  } else if (!strcmp(kind, "tested-never-posted")) {
    iRCCE_irecv_test(&receive, NULL);
    iRCCE_irecv_test(&receive, NULL);
  } else if (!strcmp(kind, "cancelled")) {
    iRCCE_init_wait_list(&list);
    iRCCE_irecv(buffer, 64, (me + 1) % ues, &receive);
    iRCCE_add_to_wait_list(&list, NULL, &receive);
    iRCCE_irecv_cancel(&receive, NULL);
    iRCCE_wait_all(&list);
  } else if (!strcmp(kind, "empty-list")) {
    iRCCE_init_wait_list(&list);
    iRCCE_wait_any(&list, NULL, NULL);
  } else if (!strcmp(kind, "unfinished")) {
    iRCCE_irecv(buffer, 64, (me + 1) % ues, &receive);
  } else if (!strcmp(kind, "blocking-send-between")) {
    if (me == 0) iRCCE_isend(buffer, 64, 1, &send);
    RCCE_barrier(&RCCE_COMM_WORLD); /* nobody receives before it is under way */
    if (me == 0) {
      RCCE_send(other, 64, 2);
      iRCCE_isend_wait(&send);
    }
    if (me == 2) RCCE_recv(buffer, 64, 0);
    if (me == 1) iRCCE_irecv(buffer, 64, 0, NULL);
  } else if (!strcmp(kind, "blocking-receive-between")) {
    if (me == 0) {
      iRCCE_irecv(buffer, 64, 1, &receive);
      RCCE_barrier(&RCCE_COMM_WORLD); /* nothing is there before it is posted */
      RCCE_recv(other, 64, 1);
      iRCCE_irecv_wait(&receive);
    }
    if (me == 1) {
      RCCE_barrier(&RCCE_COMM_WORLD);
      RCCE_send(buffer, 64, 0);
      RCCE_send(buffer, 64, 0);
    }
  } else if (!strcmp(kind, "no-room")) {
#if ROCKCREEK_IRCCE >= 20
    extern size_t RCCE_chunk;
    iRCCE_malloc(RCCE_chunk);
    iRCCE_isend(buffer, 64, (me + 1) % ues, NULL);
#endif
  } else if (!strcmp(kind, "line-address")) {
#if ROCKCREEK_IRCCE >= 20 && ROCKCREEK_RCCE >= 20
    RCCE_FLAG flag;
    memset(&flag, 7, sizeof flag);
    iRCCE_flag_alloc_tagged(&flag);
    iRCCE_put(flag.line_address, (t_vcharp)buffer, 32, me);
#endif
  } else if (!strcmp(kind, "alone")) {
#if ROCKCREEK_IRCCE >= 20
    iRCCE_irecv(buffer, 64, iRCCE_ANY_SOURCE, NULL);
#endif
  } else if (!strcmp(kind, "before-init")) {
    iRCCE_isend(buffer, 64, me, &send);
  } else {
    return 99;
  }
  RCCE_finalize();
  return 0;
}
