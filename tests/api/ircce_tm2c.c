/* tm2c's calls beside iRCCE 1.x: messages of 32 bytes to all others at once, behind each other, tested,
 * pushed and in wait lists; length and print of lists; its barrier. */
#include "iRCCE_lib.h"

#include "ue_check.h"

enum { rounds = 3 };
static unsigned char out[rounds][RCCE_MAXNP][32], in[rounds][RCCE_MAXNP][32];
static iRCCE_SEND_REQUEST sends[rounds][RCCE_MAXNP];
static iRCCE_RECV_REQUEST receives[rounds][RCCE_MAXNP];

static void to_all(int me, int ues, int with_lists) {
  iRCCE_WAIT_LIST list;
  int round, other, left, test;
  iRCCE_init_wait_list(&list);
  for (round = 0; round < rounds; ++round)
    for (other = 0; other < ues; ++other) {
      int state;
      if (other == me) continue;
      fill_pattern(out[round][other], me, 32);
      out[round][other][0] = (unsigned char)round;
      state = iRCCE_isend32((char*)out[round][other], other, &sends[round][other]);
      /* Nobody waits behind a message to another one. */
      CHECK(state == iRCCE_SUCCESS || state == (round ? iRCCE_RESERVED : iRCCE_PENDING) ||
                state == iRCCE_PENDING,
            "state %d of message %d to %d", state, round, other);
      CHECK_INT(sends[round][other].dest, other);
      CHECK_INT(sends[round][other].size, 32);
      iRCCE_irecv32((char*)in[round][other], other, &receives[round][other]);
      CHECK_INT(receives[round][other].source, other);
      if (with_lists) iRCCE_add_to_wait_list(&list, &sends[round][other], &receives[round][other]);
    }
  if (with_lists) {
    CHECK_INT(iRCCE_wait_list_length(&list), 2 * rounds * (ues - 1));
    CHECK_INT(iRCCE_wait_all(&list), iRCCE_SUCCESS);
    CHECK_INT(iRCCE_wait_list_length(&list), 0);
  } else {
    for (left = 1; left;) {
      CHECK(iRCCE_isend32_push() != iRCCE_RESERVED && iRCCE_irecv32_push() != iRCCE_RESERVED, "states%s", "");
      for (left = 0, round = 0; round < rounds; ++round)
        for (other = 0; other < ues; ++other) {
          if (other == me) continue;
          if (iRCCE_isend32_test(&sends[round][other], &test) != iRCCE_SUCCESS) ++left;
          CHECK_INT(test, sends[round][other].finished);
          if (iRCCE_irecv32_test(&receives[round][other], &test) != iRCCE_SUCCESS) ++left;
          CHECK_INT(test, receives[round][other].finished);
        }
    }
  }
  CHECK_INT(iRCCE_isend32_push(), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_irecv32_push(), iRCCE_SUCCESS);
  CHECK_INT(iRCCE_isend32_test(NULL, &test), iRCCE_SUCCESS);
  CHECK_INT(test, 1);
  CHECK_INT(iRCCE_irecv32_test(NULL, NULL), iRCCE_SUCCESS);
  for (round = 0; round < rounds; ++round)
    for (other = 0; other < ues; ++other) {
      if (other == me) continue;
      CHECK_INT(in[round][other][0], round);
      in[round][other][0] = pattern(other, 32, 0);
      CHECK(find_fault(in[round][other], other, 32) < 0, "message %d from %d", round, other);
      CHECK(iRCCE_isend_queue32[other] == NULL, "queue to %d", other);
    }
}

int RCCE_APP(int argc, char** argv) {
  int me, ues;
  RCCE_init(&argc, &argv);
  CHECK_INT(iRCCE_init(), iRCCE_SUCCESS);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  CHECK_INT(iRCCE_isend32((char*)out, ues, &sends[0][0]), RCCE_ERROR_ID);
  CHECK_INT(iRCCE_irecv32((char*)in, -1, &receives[0][0]), RCCE_ERROR_ID);
  to_all(me, ues, 0);
  CHECK_INT(RCCE_barrier_nb(&RCCE_COMM_WORLD), RCCE_SUCCESS);
  to_all(me, ues, 1);
  CHECK_INT(RCCE_barrier_nb(&RCCE_COMM_WORLD), RCCE_SUCCESS);
  /* Waited for by the ordinary call, and then an ordinary message. */
  if (ues > 1 && me < 2) {
    iRCCE_isend32((char*)out[0][1 - me], 1 - me, &sends[0][0]);
    iRCCE_irecv32((char*)in[0][1 - me], 1 - me, &receives[0][0]);
    CHECK_INT(iRCCE_isend_wait(&sends[0][0]), iRCCE_SUCCESS);
    CHECK_INT(iRCCE_irecv_wait(&receives[0][0]), iRCCE_SUCCESS);
    if (me == 0) CHECK_INT(RCCE_send((char*)out, 3000, 1), RCCE_SUCCESS);
    if (me == 1) CHECK_INT(RCCE_recv((char*)in, 3000, 0), RCCE_SUCCESS);
  }
  if (argc > 1) { /* prints */
    iRCCE_WAIT_LIST list;
    iRCCE_init_wait_list(&list);
    iRCCE_isend32((char*)out, me, &sends[0][0]);
    iRCCE_irecv32((char*)in, me, &receives[0][0]);
    iRCCE_add_to_wait_list(&list, &sends[0][0], &receives[0][0]);
    iRCCE_print_sendlist(&list, 7);
    iRCCE_print_waitlist(&list, 8);
    CHECK_INT(iRCCE_wait_all(&list), iRCCE_SUCCESS);
  }
  return check_finalize();
}
