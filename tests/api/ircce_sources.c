/* Messages from any source, probing, iRCCE_srecv_test, and the lengths that flags carry (RCCE 1.0, big
   flags). */
#include "iRCCE_lib.h"

#include "ue_check.h"

enum { bytes = 9000 };
static unsigned char out[bytes], in[bytes];
static iRCCE_RECV_REQUEST receives[RCCE_MAXNP];

static void barrier(void) { RCCE_barrier(&RCCE_COMM_WORLD); }

static void check_from(const unsigned char* at, int source, unsigned long length) {
  CHECK(find_fault(at, source, length) < 0, "message of %lu bytes from %d", length, source);
}

/* Rank 0 collects from all, by requests without a source. */
static void collect(int me, int ues) {
  static unsigned char room[RCCE_MAXNP][200];
  int i, seen[RCCE_MAXNP] = {0}, test = 7;
  if (me == 0) {
    for (i = 1; i < ues; ++i)
      CHECK_INT(iRCCE_irecv((char*)room[i], 200, iRCCE_ANY_SOURCE, &receives[i]), iRCCE_RESERVED);
    if (ues > 1) {
      CHECK(iRCCE_irecv_any_source_queue == &receives[1] && receives[1].sent == NULL,
            "the queue without sources");
      CHECK_INT(receives[1].source, -1);
      CHECK_INT(iRCCE_get_source(&receives[1]), -1);
      CHECK_INT(iRCCE_get_status(NULL, &receives[1]), iRCCE_RESERVED);
      CHECK_INT(iRCCE_irecv_test(&receives[1], &test), iRCCE_RESERVED);
      CHECK_INT(test, 0);
      CHECK_INT(iRCCE_irecv_push(), iRCCE_RESERVED);
      CHECK_INT(iRCCE_irecv_cancel(&receives[1], &test), iRCCE_SUCCESS);
      CHECK_INT(test, 1);
      CHECK_INT(iRCCE_irecv_cancel(&receives[1], &test), iRCCE_NOT_ENQUEUED);
      iRCCE_irecv((char*)room[1], 200, iRCCE_ANY_SOURCE, &receives[1]);
    }
  }
  barrier();
  if (me == 0) {
    for (i = 1; i < ues; ++i) {
      iRCCE_irecv_wait(&receives[i]);
      CHECK(receives[i].source > 0 && receives[i].source < ues, "source %d", receives[i].source);
      ++seen[receives[i].source];
      CHECK_INT(iRCCE_get_source(&receives[i]), receives[i].source);
      check_from(room[i], receives[i].source, 200);
    }
    for (i = 1; i < ues; ++i) CHECK_INT(seen[i], 1);
    CHECK(iRCCE_irecv_any_source_queue == NULL, "nothing is left");
  } else {
    fill_pattern(out, me, 200);
    iRCCE_isend((char*)out, 200, 0, NULL);
  }
  barrier();
}

/* A receive by name comes before one from any source; low ranks come first. */
static void priorities(int me, int ues) {
  iRCCE_RECV_REQUEST any, named;
  int test;
  if (me == 0) {
    CHECK_INT(iRCCE_irecv((char*)in, 64, iRCCE_ANY_SOURCE, &any), iRCCE_RESERVED);
    CHECK_INT(iRCCE_irecv((char*)in + 64, 64, 1, &named), iRCCE_PENDING);
  }
  barrier();
  if (me == 1 || me == 2) {
    fill_pattern(out, me, 64);
    iRCCE_SEND_REQUEST send;
    iRCCE_isend((char*)out, 64, 0, &send);
    barrier();
    iRCCE_isend_wait(&send);
  } else {
    barrier();
  }
  if (me == 0) {
    iRCCE_irecv_wait(&any);
    CHECK_INT(any.source, 2);
    iRCCE_irecv_wait(&named);
    check_from(in, 2, 64);
    check_from(in + 64, 1, 64);
  }
  barrier();
  /* Both are there: rank 1 first. */
  if (me == 1 || me == 2) {
    iRCCE_SEND_REQUEST send;
    iRCCE_isend((char*)out, 64, 0, &send);
    barrier();
    iRCCE_isend_wait(&send);
  } else {
    barrier();
  }
  if (me == 0) {
    iRCCE_irecv((char*)in, 64, iRCCE_ANY_SOURCE, &any);
    CHECK_INT(any.source, 1);
    iRCCE_irecv_wait(&any);
    test = 0;
    iRCCE_irecv((char*)in, 64, iRCCE_ANY_SOURCE, NULL);
    CHECK_INT(iRCCE_get_source(NULL), 2);
    /* posted without bytes: done at once, and stays so */
    CHECK_INT(iRCCE_irecv((char*)in, 0, iRCCE_ANY_SOURCE, &any), iRCCE_SUCCESS);
    CHECK_INT(iRCCE_irecv_test(&any, &test), iRCCE_SUCCESS);
    CHECK_INT(test, 1);
  }
  barrier();
  (void)ues;
}

static void probing(int me, int ues) {
  int rank = 7, found = 7, test = 7;
  const int last = ues - 1;
  if (me == 0) {
    CHECK_INT(iRCCE_iprobe(last, &rank, &found), iRCCE_SUCCESS);
    CHECK_INT(rank, -1);
    CHECK_INT(found, 0);
    CHECK_INT(iRCCE_iprobe(iRCCE_ANY_SOURCE, &rank, NULL), iRCCE_SUCCESS);
    CHECK_INT(rank, -1);
#ifdef RCCE_VERSION
    CHECK_INT(iRCCE_srecv_test((char*)in, bytes, last, &test), iRCCE_PENDING);
    CHECK_INT(test, 0);
    CHECK_INT(iRCCE_srecv_test((char*)in, bytes, iRCCE_ANY_SOURCE, &test), iRCCE_PENDING);
    CHECK_INT(test, 0);
#endif
    test = 7;
    CHECK_INT(iRCCE_srecv_test((char*)in, bytes, ues, &test), RCCE_ERROR_ID);
    CHECK_INT(test, 7);
    CHECK_INT(iRCCE_srecv_test((char*)in, 0, last, &test), iRCCE_SUCCESS);
    CHECK_INT(test, 1);
  }
  barrier();
  if (me == last) {
    fill_pattern(out, me, bytes);
    iRCCE_ssend((char*)out, bytes, 0);
    iRCCE_ssend((char*)out, bytes, 0);
    iRCCE_ssend((char*)out, bytes, 0);
  }
  if (me == 0) {
    CHECK_INT(iRCCE_probe(last, &rank), iRCCE_SUCCESS);
    CHECK_INT(rank, last);
    CHECK_INT(iRCCE_probe(iRCCE_ANY_SOURCE, NULL), iRCCE_SUCCESS);
    CHECK_INT(iRCCE_get_source(NULL), last);
    CHECK_INT(iRCCE_iprobe(iRCCE_ANY_SOURCE, &rank, &found), iRCCE_SUCCESS);
    CHECK_INT(rank, last);
    CHECK_INT(found, 1);
    CHECK_INT(iRCCE_iprobe(last, NULL, NULL), iRCCE_SUCCESS);
    CHECK_INT(iRCCE_srecv((char*)in, bytes, iRCCE_ANY_SOURCE), iRCCE_SUCCESS);
    check_from(in, last, bytes);
    CHECK_INT(iRCCE_get_length(), bytes);
    memset(in, POISON, sizeof in);
    do {
      CHECK_INT(iRCCE_srecv_test((char*)in, bytes, last, &test), test ? iRCCE_SUCCESS : iRCCE_PENDING);
    } while (!test);
    check_from(in, last, bytes);
    memset(in, POISON, sizeof in);
    do {
      const int state = iRCCE_srecv_test((char*)in, bytes, iRCCE_ANY_SOURCE, &test);
      CHECK_INT(state, test ? iRCCE_SUCCESS : iRCCE_PENDING);
    } while (!test);
    check_from(in, last, bytes);
  }
  barrier();
}

/* iRCCE_ssend of no bytes synchronises; ranks are checked first. */
static void pipelined(int me, int ues) {
  CHECK_INT(iRCCE_ssend((char*)out, 8, ues), RCCE_ERROR_ID);
  CHECK_INT(iRCCE_srecv((char*)in, 8, ues), RCCE_ERROR_ID);
  CHECK_INT(iRCCE_srecv((char*)in, 8, -3), RCCE_ERROR_ID);
  CHECK_INT(iRCCE_ssend((char*)out, -4, ues), RCCE_ERROR_MESSAGE_LENGTH);
  CHECK_INT(iRCCE_srecv((char*)in, -4, ues), RCCE_ERROR_MESSAGE_LENGTH);
  if (me == 0) {
    double before;
    do
      rcce_compute(1000000); /* takes no time by the host's clock */
    while ((before = RCCE_wtime()) <= 1e-3);
    iRCCE_ssend(NULL, 0, ues - 1);
    CHECK(RCCE_wtime() > before, "a message of no bytes takes time");
    iRCCE_issend(NULL, 0, ues - 1, NULL);
  }
  if (me == ues - 1) {
    iRCCE_RECV_REQUEST request;
    iRCCE_srecv(NULL, 0, 0);
    CHECK(RCCE_wtime() > 1e-3, "a message of no bytes waits for its sender");
    iRCCE_isrecv(NULL, 0, 0, &request);
    CHECK_INT(iRCCE_get_size(NULL, &request), 1);
    iRCCE_isrecv_wait(&request);
  }
  barrier();
}

#ifdef _iRCCE_ANY_LENGTH_
static void any_length(int me, int ues) {
  static const int lengths[] = {1, 4, 28, 29, 32, 500, 8000, 9000};
  const int count = sizeof lengths / sizeof *lengths;
  iRCCE_RECV_REQUEST request;
  int i, rank;
  for (i = 0; i < count; ++i) {
    const int length = lengths[i];
    if (me == 0) {
      fill_pattern(out, 0, length);
      iRCCE_isend((char*)out, length, ues - 1, NULL);
      iRCCE_ssend((char*)out, length, ues - 1);
      iRCCE_ssend((char*)out, length, ues - 1);
    }
    if (me == ues - 1) {
      memset(in, POISON, sizeof in);
      iRCCE_irecv((char*)in, iRCCE_ANY_LENGTH, i % 2 ? 0 : iRCCE_ANY_SOURCE, &request);
      if (!request.finished) CHECK_INT(iRCCE_get_size(NULL, &request), request.started ? length : -1);
      iRCCE_irecv_wait(&request);
      CHECK_INT(iRCCE_get_size(NULL, &request), length);
      CHECK_INT(iRCCE_get_length(), length);
      check_from(in, 0, length);
      CHECK(find_unpoisoned(in + length, sizeof in - length) < 0, "%d bytes: bytes behind", length);
      iRCCE_probe(i % 2 ? iRCCE_ANY_SOURCE : 0, &rank);
      CHECK_INT(rank, 0);
      CHECK_INT(iRCCE_get_length(), length);
      memset(in, POISON, sizeof in);
      iRCCE_srecv((char*)in, iRCCE_ANY_LENGTH, i % 2 ? 0 : iRCCE_ANY_SOURCE);
      CHECK_INT(iRCCE_get_length(), length);
      check_from(in, 0, length);
      CHECK(find_unpoisoned(in + length, sizeof in - length) < 0, "%d bytes: bytes behind", length);
      memset(in, POISON, sizeof in);
      iRCCE_srecv((char*)in, length, 0);
      check_from(in, 0, length);
    }
  }
  barrier();
}
#endif

int RCCE_APP(int argc, char** argv) {
  int me, ues;
  RCCE_init(&argc, &argv);
  CHECK_INT(iRCCE_recent_source, -1);
  iRCCE_init();
  me = RCCE_ue();
  ues = RCCE_num_ues();
  CHECK_INT(iRCCE_get_source(NULL), -1);
  CHECK_INT(iRCCE_get_length(), 0);
  collect(me, ues);
  if (ues >= 3) priorities(me, ues);
  if (ues >= 2) {
    probing(me, ues);
    pipelined(me, ues);
#ifdef _iRCCE_ANY_LENGTH_
    any_length(me, ues);
#endif
  }
  RCCE_finalize();
  return check_end();
}
