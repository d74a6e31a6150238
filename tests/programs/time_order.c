/* Lines appear in simulated-time order although the UEs run in another one: each waits for its turn on its
 * own clock. */
#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  int me, ues;
  double due;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  due = RCCE_wtime() + 1e-4 + (ues - me) * 2e-5; /* the last rank first */
  while (RCCE_wtime() < due) {
  }
  printf("rank %d\n", me);
  due += 1e-4 + ues * 2e-5 + me * 4e-5; /* then in ascending order */
  while (RCCE_wtime() < due) {
  }
  printf("rank %d again\n", me);
  return 0;
}
