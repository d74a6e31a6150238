/* RCCE_recv_test, non-gory: nothing there, something there, several chunks, bad rank, length 0; and
 * RCCE_probe as a wildcard. */
#include "RCCE_lib.h"

#include "ue_check.h"

enum { length = 20000 };
static unsigned char buffer[length];

int RCCE_APP(int argc, char** argv) {
  int me, ues, from, test, polls;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();

  test = 77;
  CHECK_INT(RCCE_recv_test((char*)buffer, 4, ues, &test), RCCE_ERROR_ID);
  CHECK_INT(test, 77);
  CHECK_INT(RCCE_recv_test((char*)buffer, 4, -1, &test), RCCE_ERROR_ID);
  CHECK_INT(test, 77);
  test = 0;
  CHECK_INT(RCCE_recv_test((char*)buffer, 0, me, &test), 0);
  CHECK_INT(test, 1);

  if (me == 0) {
    /* Nobody sends yet: the buffer stays as it is, whatever test held. */
    memset(buffer, POISON, sizeof buffer);
    for (from = 1; from < ues; ++from) {
      test = 1;
      CHECK_INT(RCCE_recv_test((char*)buffer, length, from, &test), 0);
      CHECK_INT(test, 0);
      CHECK_INT(RCCE_probe(RCCE_sent_flag[from]), 0);
    }
    CHECK(find_unpoisoned(buffer, sizeof buffer) < 0, "a test without message touched the buffer");
  }
  RCCE_barrier(&RCCE_COMM_WORLD);

  if (me == 0) {
    int missing = ues - 1;
    char seen[RCCE_MAXNP] = {0};
    polls = 0;
    /* A master that takes work from whoever has some: nothing else in the loop. */
    for (from = 1; missing > 0; from = from % (ues - 1) + 1, ++polls) {
      if (seen[from]) continue;
      CHECK_INT(RCCE_recv_test((char*)buffer, length, from, &test), 0);
      if (test) {
        long fault = find_fault(buffer, from, length);
        CHECK(fault < 0, "message from %d: byte %ld", from, fault);
        seen[from] = 1;
        --missing;
      }
      CHECK(polls < 10000000, "endless polling: %d messages missing", missing);
      if (polls >= 10000000) return 1;
    }
    /* Polling a flag by hand, then receiving. */
    if (ues > 1) {
      while (!RCCE_probe(RCCE_sent_flag[1])) {
      }
      CHECK_INT(RCCE_recv_test((char*)buffer, 40, 1, &test), 0);
      CHECK_INT(test, 1);
      CHECK(find_fault(buffer, 1, 40) < 0, "probed message");
    }
  } else {
    fill_pattern(buffer, me, length);
    RCCE_send((char*)buffer, length, 0);
    if (me == 1) {
      fill_pattern(buffer, me, 40);
      RCCE_send((char*)buffer, 40, 0);
    }
  }
  return check_finalize();
}
