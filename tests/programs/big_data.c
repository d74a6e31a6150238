/* A 4 MB array on the stack and 10 MB of globals, private and with their initial values on every UE. */
#include <stdio.h>

#include "RCCE.h"

static double zeros[1000000];
static int filled[500000] = {[0] = 1, [499999] = 2};
static int counter = 42;

static int use_stack(int me) {
  char big[4 * 1024 * 1024];
  unsigned i, sum = 0;
  for (i = 0; i < sizeof big; i += 4096) big[i] = (char)(me + i / 4096);
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (i = 0; i < sizeof big; i += 4096)
    if (big[i] != (char)(me + i / 4096)) ++sum;
  return (int)sum;
}

int RCCE_APP(int argc, char** argv) {
  static int calls; /* a function's own */
  int me, i, faults = 0;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  if (zeros[999999] != 0 || filled[0] != 1 || filled[499999] != 2 || counter != 42) ++faults;
  for (i = 0; i < 1000000; i += 500) zeros[i] = me + i;
  filled[499999] = me;
  counter += me;
  calls += me;
  faults += use_stack(me);
  for (i = 0; i < 1000000; i += 500)
    if (zeros[i] != me + i) ++faults;
  if (filled[499999] != me || counter != 42 + me || calls != me) ++faults;
  RCCE_barrier(&RCCE_COMM_WORLD);
  printf("rank %d: %d faults\n", me, faults);
  return faults != 0;
}
