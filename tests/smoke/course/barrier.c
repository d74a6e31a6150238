/* rockcreek exercise: barrier */
/* Dissemination: in round r everybody tells the one 2^r further, by flags, of which a barrier has its own for
 * every round. Two sets are used in turn, and their meaning changes each second time: nobody has to reset
 * one. */
#include "RCCE_lib.h"

#include "algorithms/algorithm.h"

enum { most_rounds = 6 };

static RCCE_FLAG flags[2][most_rounds];
static int set;
static RCCE_FLAG_STATUS meaning = RCCE_FLAG_SET;

static int prepare(const rockcreek_call *call) {
  (void)call;
  for (int i = 0; i < 2 * most_rounds; ++i) {
    int error = RCCE_flag_alloc(&flags[0][0] + i);
    if (error == RCCE_SUCCESS)
      error = RCCE_flag_write(&flags[0][0] + i, RCCE_FLAG_UNSET, RCCE_ue());
    if (error != RCCE_SUCCESS)
      return error;
  }
  return RCCE_barrier(&RCCE_COMM_WORLD);
}

static int barrier(const rockcreek_call *call) {
  const int ues = RCCE_num_ues();
  (void)call;
  for (int round = 0; (1 << round) < ues; ++round) {
    RCCE_flag_write(&flags[set][round], meaning, (RCCE_ue() + (1 << round)) % ues);
    RCCE_wait_until(flags[set][round], meaning);
  }
  if (set == 1)
    meaning = meaning == RCCE_FLAG_SET ? RCCE_FLAG_UNSET : RCCE_FLAG_SET;
  set = 1 - set;
  return RCCE_SUCCESS;
}

ROCKCREEK_ALGORITHM(my_barrier, .name = "barrier/mine", .operation = ROCKCREEK_BARRIER,
                    .summary = "dissemination", .source = "a test", .prepare = prepare, .run = barrier);
