/* Wrong uses of requests and collectives, one by each word, which --check mpb has to report. */
#include "iRCCE.h"
#include "algorithms/collectives.h"
#include <stdio.h>
#include <string.h>

static char buffer[64], other[64];
static iRCCE_SEND_REQUEST send;
static iRCCE_RECV_REQUEST receive, second_receive;

static void send_buffer(int me) {
  if (me == 0) {
    iRCCE_isend(buffer, 64, 1, &send);
    buffer[17] = 1;
    iRCCE_isend_wait(&send);
  } else if (me == 1) {
    RCCE_recv(buffer, 64, 0);
  }
}

static void receive_buffer(int me) {
  if (me == 1) {
    iRCCE_irecv(buffer, 64, 0, &receive);
    buffer[40] = 1;
    RCCE_barrier(&RCCE_COMM_WORLD);
    iRCCE_irecv_wait(&receive);
  } else {
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0) RCCE_send(buffer, 64, 1);
  }
}

/* `late`: the first is finished last, when the second has changed what it lies in. */
static void shared_buffers(int me, int late) {
  if (me == 1) {
    iRCCE_irecv(buffer, 64, 0, &receive);
    iRCCE_irecv(buffer + 32, 32, 2, &second_receive);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (late) iRCCE_irecv_wait(&second_receive);
    iRCCE_irecv_wait(&receive);
    iRCCE_irecv_wait(&second_receive);
  } else {
    memset(buffer, me + 1, sizeof buffer);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0) RCCE_send(buffer, 64, 1);
    if (me == 2) RCCE_send(buffer, 32, 1);
  }
}

/* A request that nobody has posted, in memory that holds something already. */
static void never_posted(int me, int tests) {
  int done = 0;
  if (me != 1) return;
  memset(&receive, 0x5a, sizeof receive);
  if (tests)
    iRCCE_irecv_test(&receive, &done);
  else
    iRCCE_irecv_wait(&receive);
}

/* The lock of rank 2. */
static void lock_wrongly(int me, int taken, int by_another) {
  if (me == 0 && taken) RCCE_acquire_lock(2);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 1 && by_another) RCCE_release_lock(2);
}

/* Sent on, or looked at, before the request has been waited for. */
static void receive_used(int me, int sent_on) {
  if (me == 1) {
    iRCCE_irecv(buffer, 64, 0, &receive);
    if (sent_on)
      RCCE_send(buffer, 64, 2);
    else
      other[0] = buffer[40];
    iRCCE_irecv_wait(&receive);
    other[1] = buffer[40];
    if (!sent_on) RCCE_send(buffer, 64, 2);
  } else if (me == 0) {
    RCCE_send(buffer, 64, 1);
  } else {
    RCCE_recv(buffer, 64, 1);
  }
}

static void collectives(int me) {
  double in = 1, out = 0;
  RCCE_bcast(buffer, 64, 0, RCCE_COMM_WORLD);
  if (me == 1)
    RCCE_bcast(other, 8, 0, RCCE_COMM_WORLD);
  else
    RCCE_allreduce((char*)&in, (char*)&out, 1, RCCE_DOUBLE, RCCE_SUM, RCCE_COMM_WORLD);
}

static void multicast(int me) {
  iRCCE_barrier(NULL);
  if (me == 2)
    iRCCE_barrier(NULL);
  else
    iRCCE_mcast(buffer, 64, 0);
}

static void algorithms(int me) {
  rockcreek_prepare("bcast/dopl", NULL);
  rockcreek_bcast("bcast/cube", buffer, 64, 0, NULL);
  rockcreek_bcast(me == 2 ? "bcast/dopl" : "bcast/cube", buffer, 64, 0, NULL);
}

/* Made of messages, as programs have them. */
static void own_collective(int me) {
  int to;
  rcce_collective("spread", 0, me == 1 ? 32 : 64);
  if (me > 0) RCCE_recv(buffer, 64, 0);
  for (to = 1; me == 0 && to < RCCE_num_ues(); to++) RCCE_send(buffer, 64, to);
}

int RCCE_APP(int argc, char** argv) {
  const char* kind;
  int me;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  kind = argc > 1 ? argv[1] : "";
  me = RCCE_ue();
  if (!strcmp(kind, "send-buffer")) {
    send_buffer(me);
  } else if (!strcmp(kind, "receive-buffer")) {
    receive_buffer(me);
  } else if (!strcmp(kind, "shared-buffers")) {
    shared_buffers(me, 0);
  } else if (!strcmp(kind, "shared-buffers-late")) {
    shared_buffers(me, 1);
  } else if (!strcmp(kind, "never-posted-waited")) {
    never_posted(me, 0);
  } else if (!strcmp(kind, "never-posted-tested")) {
    never_posted(me, 1);
  } else if (!strcmp(kind, "lock-of-another")) {
    lock_wrongly(me, 1, 1);
  } else if (!strcmp(kind, "lock-of-nobody")) {
    lock_wrongly(me, 0, 1);
  } else if (!strcmp(kind, "lock-kept")) {
    lock_wrongly(me, 1, 0);
  } else if (!strcmp(kind, "receive-early")) {
    receive_used(me, 0);
  } else if (!strcmp(kind, "receive-sent-on")) {
    receive_used(me, 1);
  } else if (!strcmp(kind, "receive-looked-at")) {
    receive_used(me, 0);
  } else if (!strcmp(kind, "unfinished")) {
    if (me == 1) iRCCE_irecv(buffer, 64, 0, &receive);
  } else if (!strcmp(kind, "collectives")) {
    collectives(me);
  } else if (!strcmp(kind, "multicast")) {
    multicast(me);
  } else if (!strcmp(kind, "algorithms")) {
    algorithms(me);
  } else if (!strcmp(kind, "own")) {
    own_collective(me);
  } else if (!strcmp(kind, "roots")) {
    RCCE_bcast(buffer, 64, me == 2 ? 1 : 0, RCCE_COMM_WORLD);
  } else {
    fprintf(stderr, "no such kind: %s\n", kind);
    return 99;
  }
  RCCE_finalize();
  return 0;
}
