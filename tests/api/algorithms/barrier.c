/* A barrier of the algorithms library: nobody leaves before everybody has come, whoever is last; many
 * times in a row. Its options last: what was settled when it was prepared cannot be had otherwise later.
 * Arguments: the algorithm [options, or "unprepared", where the first call prepares it, or "wide": a large
 * fan-out where it has one]. */
#include <string.h>

#include "iRCCE.h"

#include "algorithms/collectives.h"
#include "rows.h"
#include "ue_check.h"

enum { rounds = 20 };

static double entered[rounds], left[rounds];

/* Everybody's times at rank 0. */
static void check_times(const char* algorithm) {
  double first_exit[rounds], last_entry[rounds], theirs[2][rounds];
  int ue, round;
  if (RCCE_ue() != 0) {
    RCCE_send((char*)entered, sizeof entered, 0);
    RCCE_send((char*)left, sizeof left, 0);
    return;
  }
  memcpy(last_entry, entered, sizeof entered);
  memcpy(first_exit, left, sizeof left);
  for (ue = 1; ue < RCCE_num_ues(); ++ue) {
    RCCE_recv((char*)theirs[0], sizeof entered, ue);
    RCCE_recv((char*)theirs[1], sizeof left, ue);
    for (round = 0; round < rounds; ++round) {
      if (theirs[0][round] > last_entry[round]) last_entry[round] = theirs[0][round];
      if (theirs[1][round] < first_exit[round]) first_exit[round] = theirs[1][round];
    }
  }
  for (round = 0; round < rounds; ++round)
    CHECK(first_exit[round] >= last_entry[round], "%s, round %d: one left at %.9f, one came at %.9f",
          algorithm, round, first_exit[round], last_entry[round]);
}

int RCCE_APP(int argc, char** argv) {
  const char* options = NULL;
  int i, done = 0, repetitions;
  RCCE_init(&argc, &argv);
  repetitions = RCCE_num_ues() > 12 ? 200 : 1000;
  iRCCE_init();
  if (argc > 2 && strcmp(argv[2], "wide") == 0 && row_takes(argv[1], "fan_out")) options = "fan_out=5";
  if (argc > 2 && strchr(argv[2], '=') != NULL) options = argv[2];
  if (argc < 3 || strcmp(argv[2], "unprepared") != 0) {
    CHECK_INT(rockcreek_prepare(argv[1], options), RCCE_SUCCESS);
    CHECK_INT(rockcreek_prepare(argv[1], options), RCCE_SUCCESS);
  }
  if (options != NULL) CHECK_INT(rockcreek_barrier(argv[1], "fan_out=6"), RCCE_ERROR_ID);
  for (i = 0; i < rounds; ++i) {
    /* A different one is late each time, and the others come at different times. */
    rcce_compute(RCCE_ue() == i * 7 % RCCE_num_ues() ? 200000 : (RCCE_ue() * 37 + i * 11) % 50 * 400);
    entered[i] = RCCE_wtime();
    CHECK_INT(rockcreek_barrier(argv[1], options), RCCE_SUCCESS);
    left[i] = RCCE_wtime();
  }
  check_times(argv[1]);
  for (i = 0; i < repetitions; ++i) done += rockcreek_barrier(argv[1], NULL) == RCCE_SUCCESS;
  CHECK_INT(done, repetitions);
  RCCE_finalize();
  return check_end();
}
