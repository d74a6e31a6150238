/* Ranks 1 and 2 compute for ever, each in a function of its own, while rank 0 waits for them. */
#include <stdio.h>

#include "RCCE.h"

static volatile unsigned long rounds;
static volatile double left = 1;

static __attribute__((noinline)) void counts(void) {
  for (;;) rounds = rounds + 1;
}

static __attribute__((noinline)) void halves(void) {
  while (left > 0) left = left < 1e-9 ? 1 : left / 2;
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  const int me = RCCE_ue();
  if (me == 1) counts();
  if (me == 2) halves();
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_finalize();
  return 0;
}
