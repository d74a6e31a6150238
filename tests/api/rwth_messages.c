/* RWTH's RCCE through RCCE.h alone: requests with their states and pushes, pairings of all ways to send and
 * receive at lengths around lines and chunks, messages of no bytes that synchronise, tags, probes,
 * cancelling, multicast, and what is rejected while requests are unfinished. */
#include "RCCE.h"

#include "ue_check.h"

enum { margin = 67, largest = 100001 };
static unsigned char room[largest + 2 * margin], message[largest + 1];
static const unsigned long lengths[] = {0, 1, 31, 32, 33, 4095, 4096, 4097, 8032, 16064, 100001};
enum { count = sizeof lengths / sizeof *lengths };
static int me, ues;

/* 'b' blocking, 'i' non-blocking, 'n' without a request, 't' tested, 'p' pipelined, 'g' tagged. */
static void send_as(char how, unsigned long length, int dest) {
  RCCE_SEND_REQUEST request;
  char* at = (char*)message;
  int test = 0;
  switch (how) {
  case 'i':
    RCCE_isend(at, length, dest, &request);
    CHECK_INT(request.dest, dest);
    CHECK_INT(RCCE_isend_wait(&request), RCCE_SUCCESS);
    CHECK_INT(request.finished, 1);
    break;
  case 't':
    RCCE_isend(at, length, dest, &request);
    while (!test) CHECK_INT(RCCE_isend_test(&request, &test), request.finished ? RCCE_SUCCESS : RCCE_PENDING);
    break;
  case 'p':
    CHECK_INT(RCCE_send_pipe(at, length, dest), RCCE_SUCCESS);
    break;
#ifndef SINGLEBITFLAGS
  case 'g': {
    char tag[28] = "twenty-seven bytes of a tag";
    CHECK_INT(RCCE_send_tagged(at, length, dest, tag, sizeof tag), RCCE_SUCCESS);
    break;
  }
#endif
  default:
    CHECK_INT(RCCE_send(at, length, dest), RCCE_SUCCESS);
  }
}

static void receive_as(char how, unsigned char* to, unsigned long length, int source) {
  RCCE_RECV_REQUEST request;
  char* at = (char*)to;
  int test = 0;
  switch (how) {
  case 'i':
    RCCE_irecv(at, length, source, &request);
    CHECK_INT(request.source, source);
    CHECK(request.privbuf == at || length == 0, "buffer of the request");
    CHECK_INT(RCCE_irecv_wait(&request), RCCE_SUCCESS);
    CHECK_INT(request.finished, 1);
    break;
  case 'n':
    CHECK_INT(RCCE_irecv(at, length, source, NULL), RCCE_SUCCESS);
    break;
  case 't':
    while (!test) CHECK_INT(RCCE_recv_test(at, length, source, &test), RCCE_SUCCESS);
    break;
  case 'p':
    CHECK_INT(RCCE_recv_pipe(at, length, source), RCCE_SUCCESS);
    break;
#ifndef SINGLEBITFLAGS
  case 'g': {
    char tag[28] = "";
    CHECK_INT(RCCE_recv_tagged(at, length, source, tag, sizeof tag), RCCE_SUCCESS);
    CHECK(strcmp(tag, "twenty-seven bytes of a tag") == 0, "tag '%s'", tag);
    break;
  }
#endif
  default:
    CHECK_INT(RCCE_recv(at, length, source), RCCE_SUCCESS);
  }
}

static void exchange(char out, char in, int from, int to, unsigned long length) {
  if (me == from) {
    fill_pattern(message, from, length);
    send_as(out, length, to);
  }
  if (me == to) {
    unsigned char* at = room + margin;
    memset(room, POISON, length + 2 * margin);
    receive_as(in, at, length, from);
    CHECK(find_fault(at, from, length) < 0, "%c to %c, %lu bytes, from %d", out, in, length, from);
    CHECK(find_unpoisoned(room, margin) < 0 && find_unpoisoned(at + length, margin) < 0, "around %lu bytes",
          length);
  }
}

/* The sender of a message of no bytes leaves no earlier than the receiver comes. */
static void no_bytes_synchronise(void) {
  volatile int* come = (volatile int*)RCCE_shmalloc(32);
  *come = 0;
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) {
    CHECK_INT(RCCE_send(NULL, 0, 1), RCCE_SUCCESS);
    CHECK_INT(*come, 1);
  } else if (me == 1) {
    rcce_compute(1000000);
    *come = 1;
    CHECK_INT(RCCE_recv(NULL, 0, 0), RCCE_SUCCESS);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
}

/* 1 has two receives from 0, which then has a send under way to 1 and another behind it. */
static void states(void) {
  static char a[64] = "first", b[64] = "second", in[2][64], other[64];
  RCCE_SEND_REQUEST sends[2];
  RCCE_RECV_REQUEST receives[2];
  int test;
  t_vcharp payload;
  if (me == 0) {
    RCCE_barrier(&RCCE_COMM_WORLD);
    CHECK_INT(RCCE_isend(a, sizeof a, 1, &sends[0]), RCCE_PENDING);
    CHECK_INT(RCCE_isend(b, sizeof b, 1, &sends[1]), RCCE_RESERVED);
    CHECK_INT(RCCE_isend_test(&sends[0], &test), RCCE_PENDING);
    CHECK_INT(test, 0);
    CHECK_INT(RCCE_isend_test(&sends[1], &test), RCCE_RESERVED);
    CHECK_INT(test, 0);
    CHECK_INT(RCCE_isend_push(1), RCCE_PENDING);
    CHECK_INT(RCCE_send(a, sizeof a, 1), RCCE_REJECTED);
    CHECK_INT(RCCE_send_pipe(a, sizeof a, 1), RCCE_REJECTED);
    CHECK_INT(RCCE_send_mcast(a, sizeof a), RCCE_REJECTED);
#ifndef SINGLEBITFLAGS
    CHECK_INT(RCCE_send_tagged(a, sizeof a, 1, b, 4), RCCE_REJECTED);
#endif
    CHECK_INT(RCCE_irecv_push(1), RCCE_SUCCESS); /* there is nothing to receive */
    RCCE_barrier(&RCCE_COMM_WORLD);
    CHECK_INT(RCCE_isend_wait(&sends[1]), RCCE_SUCCESS);
    CHECK_INT(sends[0].finished, 1);
    CHECK_INT(RCCE_isend_test(&sends[0], &test), RCCE_SUCCESS);
    CHECK_INT(test, 1);
    CHECK_INT(RCCE_isend_push(0), RCCE_SUCCESS);
  } else if (me == 1) {
    CHECK_INT(RCCE_irecv(in[0], sizeof in[0], 0, &receives[0]), RCCE_PENDING);
    CHECK_INT(RCCE_irecv(in[1], sizeof in[1], 0, &receives[1]), RCCE_RESERVED);
    CHECK_INT(RCCE_irecv_test(&receives[1], &test), RCCE_RESERVED);
    CHECK_INT(test, 0);
    CHECK_INT(RCCE_recv(other, sizeof other, 0), RCCE_REJECTED);
    test = 1;
    CHECK_INT(RCCE_recv_test(other, sizeof other, 0, &test), RCCE_REJECTED);
    CHECK_INT(test, 0);
    CHECK_INT(RCCE_recv_pipe(other, sizeof other, 0), RCCE_REJECTED);
    CHECK_INT(RCCE_recv_mcast(other, sizeof other, 0), RCCE_REJECTED);
    CHECK_INT(RCCE_recv_probe(0, &test, &payload), RCCE_REJECTED);
    CHECK_INT(RCCE_recv_cancel(sizeof other, 0), RCCE_REJECTED);
#ifndef SINGLEBITFLAGS
    CHECK_INT(RCCE_recv_tagged(other, sizeof other, 0, in, 4), RCCE_REJECTED);
    CHECK_INT(RCCE_recv_probe_tagged(0, &test, &payload, in, 4), RCCE_REJECTED);
#endif
    CHECK_INT(RCCE_irecv_push(0), RCCE_PENDING);
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_barrier(&RCCE_COMM_WORLD);
    CHECK_INT(RCCE_irecv_push(0), RCCE_SUCCESS);
    CHECK_INT(RCCE_irecv_test(&receives[0], &test), RCCE_SUCCESS);
    CHECK_INT(test, 1);
    CHECK_INT(RCCE_irecv_wait(&receives[1]), RCCE_SUCCESS);
    CHECK(strcmp(in[0], "first") == 0 && strcmp(in[1], "second") == 0, "got '%s', '%s'", in[0], in[1]);
    CHECK_INT(RCCE_irecv_push(0), RCCE_SUCCESS);
  } else {
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_barrier(&RCCE_COMM_WORLD);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
}

static void probes(void) {
  static char out[200] = "seen in the sender's MPB", in[200];
  t_vcharp payload = NULL;
  int test;
  if (me == 1) {
    CHECK_INT(RCCE_recv_probe(0, &test, &payload), RCCE_SUCCESS);
    CHECK_INT(test, 0);
    CHECK(payload == NULL, "nothing has been announced");
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) {
    send_as('g', 5000, 1);
    CHECK_INT(RCCE_send(out, sizeof out, 1), RCCE_SUCCESS); /* is cancelled */
    CHECK_INT(RCCE_send(out, sizeof out, 1), RCCE_SUCCESS);
    CHECK_INT(RCCE_send(out, 20000, 1), RCCE_SUCCESS);
    CHECK_INT(RCCE_send(out, 1, 1), RCCE_SUCCESS);
  }
  if (me == 1) {
#ifndef SINGLEBITFLAGS
    char tag[28] = "";
    CHECK_INT(RCCE_recv_probe_tagged(0, NULL, &payload, tag, 6), RCCE_SUCCESS);
    CHECK(strcmp(tag, "twenty") == 0, "tag '%s'", tag);
    test = 0;
    CHECK_INT(RCCE_recv_probe_tagged(0, &test, NULL, NULL, 0), RCCE_SUCCESS);
    CHECK_INT(test, 1);
#endif
    CHECK_INT(RCCE_recv_cancel(5000, 0), RCCE_SUCCESS);
    CHECK_INT(RCCE_recv_cancel(sizeof out, 0), RCCE_SUCCESS);
    CHECK_INT(RCCE_recv_probe(0, NULL, &payload), RCCE_SUCCESS);
    CHECK(memcmp((const void *)payload, out, 25) == 0, "what lies in the sender's MPB: '%.24s'",
          (const char *)payload);
    CHECK_INT(RCCE_recv_probe(0, &test, NULL), RCCE_SUCCESS);
    CHECK_INT(test, 1);
    CHECK_INT(RCCE_recv(in, sizeof in, 0), RCCE_SUCCESS);
    CHECK(memcmp(in, out, sizeof in) == 0, "the message itself: '%s'", in);
    CHECK_INT(RCCE_recv_cancel(20000, 0), RCCE_SUCCESS);
    CHECK_INT(RCCE_recv(in, 1, 0), RCCE_SUCCESS);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
}

static void multicast(void) {
  int n, root;
  for (root = 0; root < ues; root += ues > 5 ? 47 : 1)
    for (n = 0; n < count; ++n) {
      memset(room, POISON, lengths[n] + 1);
      if (me == root) {
        fill_pattern(message, root, lengths[n]);
        CHECK_INT(RCCE_send_mcast((char*)message, lengths[n]), RCCE_SUCCESS);
      } else {
        CHECK_INT(RCCE_recv_mcast((char*)room, lengths[n], root), RCCE_SUCCESS);
        CHECK(find_fault(room, root, lengths[n]) < 0, "multicast of %lu bytes by %d", lengths[n], root);
        CHECK_INT(room[lengths[n]], POISON);
      }
    }
}

/* Everybody to the next one, sends first. */
static void ring(unsigned long length) {
  RCCE_SEND_REQUEST send;
  RCCE_RECV_REQUEST receive;
  const int next = (me + 1) % ues, before = (me + ues - 1) % ues;
  fill_pattern(message, me, length);
  RCCE_isend((char*)message, length, next, &send);
  RCCE_irecv((char*)room, length, before, &receive);
  CHECK_INT(RCCE_isend_wait(&send), RCCE_SUCCESS); /* pushes both directions */
  CHECK_INT(RCCE_irecv_wait(&receive), RCCE_SUCCESS);
  CHECK(find_fault(room, before, length) < 0, "%lu bytes round the ring", length);
}

int RCCE_APP(int argc, char** argv) {
  static const char pairings[] = "bbbibnbtibiiinittbtipp"
#ifndef SINGLEBITFLAGS
                                 "gg"
#endif
      ;
  const char* pairing;
  int n;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  for (n = 0; n < count; ++n) ring(lengths[n]);
  RCCE_barrier(&RCCE_COMM_WORLD);
  multicast();
  if (ues > 1) {
    no_bytes_synchronise();
    states();
    probes();
    for (pairing = pairings; *pairing; pairing += 2)
      for (n = 0; n < count; ++n) {
        exchange(pairing[0], pairing[1], 0, ues - 1, lengths[n]);
        exchange(pairing[0], pairing[1], ues - 1, (ues - 1) / 2, lengths[n]);
      }
  }
  return check_finalize();
}
