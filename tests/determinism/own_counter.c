/* SPDX-License-Identifier: Apache-2.0 */
/* Counts in a library of its own. */
#include <stdio.h>

#include "RCCE.h"

extern int counter;
int next(void);
int steps_taken(void);

int main(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  const int first = next();
  RCCE_barrier(&RCCE_COMM_WORLD);
  const int second = next();
  printf("rank %d: %d %d, counter %d, steps %d\n", RCCE_ue(), first, second, counter, steps_taken());
  RCCE_finalize();
  return 0;
}
