/* iRCCE_isend and iRCCE_irecv: lengths around lines and chunks, both directions at once, every pair that the
 * number of UEs allows (all up to 5, else neighbours and the ends), buffers at odd addresses between poisoned
 * bytes; states, order, head-of-line blocking; all pairings with the blocking calls. */
#include "iRCCE_lib.h"

#include "ue_check.h"

enum { margin = 67, largest = 100001 };
static unsigned char room[largest + 2 * margin];
static unsigned char message[largest + 1];
static const unsigned long lengths[] = {0,    1,    31,   32,   33,   4095, 4096,  4097,
                                        8031, 8032, 8033, 8192, 16064, 100001};
enum { count = sizeof lengths / sizeof *lengths };

/* How a message is sent and received: 'i' non-blocking, 'r' RCCE, 'n' without request, 'p' pipelined, 's'
 * pipelined and non-blocking. */
static void send_as(char how, unsigned char* at, unsigned long length, int dest) {
  iRCCE_SEND_REQUEST request;
  switch (how) {
  case 'i':
    iRCCE_isend((char*)at, length, dest, &request);
    CHECK_INT(request.dest, dest);
    CHECK(request.privbuf == (char*)at, "buffer of the request");
    CHECK_INT(iRCCE_isend_wait(&request), iRCCE_SUCCESS);
    CHECK_INT(request.finished, 1);
    break;
  case 'r':
    CHECK_INT(RCCE_send((char*)at, length, dest), 0);
    break;
  case 'n':
    CHECK_INT(iRCCE_isend((char*)at, length, dest, NULL), iRCCE_SUCCESS);
    break;
  case 'p':
    CHECK_INT(iRCCE_send((char*)at, length, dest), iRCCE_SUCCESS);
    break;
#if ROCKCREEK_IRCCE >= 20
  case 's':
    iRCCE_issend((char*)at, length, dest, &request);
    CHECK_INT(iRCCE_issend_wait(&request), iRCCE_SUCCESS);
    break;
#endif
  }
}

static void receive_as(char how, unsigned char* at, unsigned long length, int source) {
  iRCCE_RECV_REQUEST request;
  int test = 0;
  switch (how) {
  case 'i':
    iRCCE_irecv((char*)at, length, source, &request);
    CHECK_INT(request.source, source);
    CHECK(request.privbuf == (char*)at, "buffer of the request");
    CHECK_INT(iRCCE_irecv_wait(&request), iRCCE_SUCCESS);
    CHECK_INT(request.finished, 1);
    break;
  case 't':
    iRCCE_irecv((char*)at, length, source, &request);
    while (!test) iRCCE_irecv_test(&request, &test);
    break;
  case 'r':
    CHECK_INT(RCCE_recv((char*)at, length, source), 0);
    break;
  case 'n':
    CHECK_INT(iRCCE_irecv((char*)at, length, source, NULL), iRCCE_SUCCESS);
    break;
  case 'p':
    CHECK_INT(iRCCE_recv((char*)at, length, source), iRCCE_SUCCESS);
    break;
#if ROCKCREEK_IRCCE >= 20
  case 's':
    iRCCE_isrecv((char*)at, length, source, &request);
    CHECK_INT(iRCCE_isrecv_wait(&request), iRCCE_SUCCESS);
    break;
#endif
  }
}

static void exchange(char sends, char receives, int sender, int receiver, unsigned long length) {
  const int me = RCCE_ue();
  if (me == sender) {
    unsigned char* at = message + 1;
    fill_pattern(at, sender, length);
    send_as(sends, at, length, receiver);
    CHECK(find_fault(at, sender, length) < 0, "%c send changed its buffer: length %lu", sends, length);
    memset(at, 0, length); /* the receiver has everything */
  }
  if (me == receiver) {
    long fault;
    memset(room, POISON, sizeof room);
    receive_as(receives, room + margin, length, sender);
    fault = find_fault(room + margin, sender, length);
    CHECK(fault < 0, "%c%c %d -> %d, length %lu: byte %ld is wrong", sends, receives, sender, receiver,
          length, fault);
    CHECK(find_unpoisoned(room, margin) < 0, "length %lu: bytes before", length);
    CHECK(find_unpoisoned(room + margin + length, sizeof room - margin - length) < 0,
          "length %lu: bytes behind", length);
  }
}

static void all_pairs(const char* pairings, unsigned long most) {
  const int ues = RCCE_num_ues();
  int n, a, b;
  for (; *pairings; pairings += 2)
    for (n = 0; n < count; ++n)
      for (a = 0; a < ues; ++a)
        for (b = 0; b < ues; ++b) {
          /* Of many UEs the neighbours: all of them by a line and a chunk more than full, some by every
             length. */
          /* in a tile, a tile and a row further, all round */
          const int every_length = a < 2 || a == 11 || a == ues - 1;
          const int neighbours =
              b == (a + 1) % ues && (every_length || lengths[n] == 33 || lengths[n] == 8033);
          const int wanted = a != b && (ues <= 5 || neighbours || (a == 0 && b == ues - 1));
          if (wanted && lengths[n] <= most) exchange(pairings[0], pairings[1], a, b, lengths[n]);
        }
}

/* Everybody to the next and from the one before at once, and to oneself. */
static void ring(unsigned long length) {
  const int me = RCCE_ue(), ues = RCCE_num_ues(), step = ues > 1;
  const int next = (me + step) % ues, before = (me + ues - step) % ues;
  iRCCE_SEND_REQUEST send;
  iRCCE_RECV_REQUEST receive;
  memset(room, POISON, sizeof room);
  fill_pattern(message, me, length);
  iRCCE_isend((char*)message, length, next, &send);
  iRCCE_irecv((char*)room + margin, length, before, &receive);
  iRCCE_isend_wait(&send);
  iRCCE_irecv_wait(&receive);
  CHECK(find_fault(room + margin, before, length) < 0, "ring, length %lu", length);
  CHECK(find_unpoisoned(room + margin + length, margin) < 0, "ring, length %lu: bytes behind", length);
}

static void states(void) {
  const int me = RCCE_ue(), ues = RCCE_num_ues();
  iRCCE_SEND_REQUEST sends[3];
  iRCCE_RECV_REQUEST receives[3];
  int test, i;
  unsigned char out[3][100], in[3][100];

  /* bad ranks leave the request alone */
  memset(&sends[0], 0x3c, sizeof sends[0]);
  CHECK_INT(iRCCE_isend((char*)message, 4, ues, &sends[0]), RCCE_ERROR_ID);
  CHECK_INT(iRCCE_isend((char*)message, 4, -7, &sends[0]), RCCE_ERROR_ID);
  CHECK_INT(sends[0].dest, 0x3c3c3c3c);
  memset(&receives[0], 0x3c, sizeof receives[0]);
  CHECK_INT(iRCCE_irecv((char*)message, 4, ues, &receives[0]), RCCE_ERROR_ID);
  CHECK_INT(iRCCE_irecv((char*)message, 4, -7, &receives[0]), RCCE_ERROR_ID);
  CHECK_INT(receives[0].finished, 0x3c3c3c3c);

  /* nothing posted */
  CHECK_INT(iRCCE_isend_push(), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_irecv_push(), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_isend_wait(NULL), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_irecv_wait(NULL), iRCCE_SUCCESS);
  test = 7;
  CHECK_INT(iRCCE_isend_test(NULL, &test), iRCCE_SUCCESS);
  CHECK_INT(test, 1);
  test = 7;
  CHECK_INT(iRCCE_irecv_test(NULL, &test), iRCCE_SUCCESS);
  CHECK_INT(test, 1);
  sends[0].finished = 1; /* counts as done */
  CHECK_INT(iRCCE_isend_test(&sends[0], &test), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_isend_wait(&sends[0]), iRCCE_SUCCESS);

  /* no bytes: done at once, whatever the rank in 2.0 */
  CHECK_INT(iRCCE_isend(NULL, 0, me, &sends[0]), iRCCE_SUCCESS);
  CHECK_INT(sends[0].finished, 1);
  CHECK_INT(iRCCE_irecv(NULL, 0, me, &receives[0]), iRCCE_SUCCESS);
#if ROCKCREEK_IRCCE >= 20
  CHECK_INT(iRCCE_get_size(&sends[0], NULL), -1);
  CHECK_INT(iRCCE_get_size(NULL, &receives[0]), -1);
  CHECK_INT(iRCCE_isend(NULL, 0, ues, &sends[0]), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_isend(NULL, -5, ues, &sends[0]), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(iRCCE_isend_wait(&sends[0]), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_irecv(NULL, -5, 0, &receives[0]), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(iRCCE_irecv_wait(&receives[0]), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_ssend(NULL, -5, 0), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(iRCCE_srecv(NULL, -5, 0), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(iRCCE_msend(NULL, -5), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(iRCCE_mrecv(NULL, -5, 0), RCCE_ERROR_MESSAGE_LENGTH);
#else
  CHECK_INT(iRCCE_isend(NULL, 0, ues, &sends[0]), RCCE_ERROR_ID);
#endif
  RCCE_barrier(&RCCE_COMM_WORLD);

  /* three to oneself: only the head is active, and they arrive in order */
  for (i = 0; i < 3; ++i) fill_pattern(out[i], i, sizeof out[i]);
  memset(in, POISON, sizeof in);
  CHECK_INT(iRCCE_isend((char*)out[0], 100, me, &sends[0]), iRCCE_PENDING);
  CHECK_INT(iRCCE_isend((char*)out[1], 100, me, &sends[1]), iRCCE_RESERVED);
  CHECK_INT(iRCCE_isend((char*)out[2], 100, me, &sends[2]), iRCCE_RESERVED);
  CHECK(iRCCE_isend_queue == &sends[0] && sends[0].next == &sends[1] && sends[1].next == &sends[2],
        "the program's view of the send queue");
  test = 7;
  CHECK_INT(iRCCE_isend_test(&sends[2], &test), iRCCE_RESERVED);
  CHECK_INT(test, 0);
  CHECK_INT(iRCCE_isend_test(&sends[0], NULL), iRCCE_PENDING);
  CHECK_INT(iRCCE_isend_test(NULL, &test), iRCCE_PENDING);
  CHECK_INT(iRCCE_isend_push(), iRCCE_PENDING);
  /* 96 bytes are there, 4 are not */
  CHECK_INT(iRCCE_irecv((char*)in[0], 100, me, &receives[0]), iRCCE_PENDING);
  CHECK_INT(receives[0].started, 1);
  CHECK_INT(iRCCE_irecv((char*)in[1], 100, me, &receives[1]), iRCCE_RESERVED);
  CHECK(iRCCE_irecv_queue[me] == &receives[0] && receives[0].next == &receives[1],
        "the program's view of the receive queue");
  CHECK_INT(iRCCE_irecv_test(&receives[1], &test), iRCCE_RESERVED);
  CHECK_INT(iRCCE_irecv_test(NULL, &test), iRCCE_PENDING);
  CHECK_INT(iRCCE_irecv_push(), iRCCE_PENDING);
  CHECK_INT(iRCCE_isend_push(), iRCCE_PENDING); /* the second segment of the head */
  CHECK_INT(iRCCE_irecv_push(), iRCCE_SUCCESS); /* a head has finished, though one more stands behind it */
  CHECK_INT(receives[0].finished, 1);
  CHECK(iRCCE_irecv_queue[me] == &receives[1], "the second one has become head");
  CHECK_INT(iRCCE_isend_push(), iRCCE_SUCCESS);
  CHECK(iRCCE_isend_queue == &sends[1] && sends[0].finished == 1, "the second one has become head");
  CHECK_INT(iRCCE_irecv((char*)in[2], 100, me, &receives[2]), iRCCE_RESERVED);
  CHECK_INT(iRCCE_irecv_wait(&receives[2]), iRCCE_SUCCESS);
  CHECK_INT(receives[1].finished, 1);
  CHECK_INT(iRCCE_isend_wait(NULL), iRCCE_SUCCESS);
  CHECK(iRCCE_isend_queue == NULL && iRCCE_irecv_queue[me] == NULL, "empty queues");
  for (i = 0; i < 3; ++i) CHECK(find_fault(in[i], i, 100) < 0, "message %d to oneself", i);

  /* Head-of-line blocking: what is sent to the last one waits behind what the middle one has not fetched. */
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (ues >= 3) {
    if (me == 0) {
      CHECK_INT(iRCCE_isend((char*)out[0], 100, 1, &sends[0]), iRCCE_PENDING);
      CHECK_INT(iRCCE_isend((char*)out[1], 100, ues - 1, &sends[1]), iRCCE_RESERVED);
      RCCE_barrier(&RCCE_COMM_WORLD);
      CHECK_INT(iRCCE_isend_wait(NULL), iRCCE_SUCCESS);
    } else {
      if (me == ues - 1) {
        CHECK_INT(iRCCE_irecv((char*)in[0], 100, 0, &receives[0]), iRCCE_PENDING);
        for (i = 0; i < 100; ++i) CHECK_INT(iRCCE_irecv_test(&receives[0], &test), iRCCE_PENDING);
      }
      RCCE_barrier(&RCCE_COMM_WORLD);
      if (me == 1) iRCCE_irecv((char*)in[0], 100, 0, NULL);
      if (me == ues - 1) {
        iRCCE_irecv_wait(&receives[0]);
        CHECK(find_fault(in[0], 1, 100) < 0, "message behind another");
      }
    }
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
}

int RCCE_APP(int argc, char** argv) {
  int n;
  RCCE_init(&argc, &argv);
  CHECK_INT(iRCCE_init(), iRCCE_SUCCESS);
  states();
  for (n = 0; n < count; ++n) ring(lengths[n]);
#if ROCKCREEK_IRCCE >= 20 && !defined(RCCE_VERSION) && !defined(SINGLEBITFLAGS)
  all_pairs("iiinniitrrpp", 1000000); /* flags carry sizes: each family by itself */
  all_pairs("ss", 1000000);
#else
  all_pairs("iiinniitirrirrpp", 1000000);
#if ROCKCREEK_IRCCE >= 20
  all_pairs("sspssp", 1000000);
#endif
  /* Less than a chunk, and something: the pipelined calls are like the others. */
  message[0] = 0;
  {
    static const char mixed[] = "iprppipr";
    const char* pairing;
    for (pairing = mixed; *pairing; pairing += 2)
      for (n = 1; n < count; ++n)
        if (lengths[n] < RCCE_chunk && RCCE_num_ues() > 1)
          exchange(pairing[0], pairing[1], 0, RCCE_num_ues() - 1, lengths[n]);
  }
#endif
  return check_finalize();
}
