// SPDX-License-Identifier: Apache-2.0
// Rank 0 reads standard input while the other one would compute.
#include <stdio.h>
#include <unistd.h>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  char line[64] = "";
  RCCE_init(&argc, &argv);
  if (RCCE_ue() == 0) {
    const ssize_t got = read(0, line, sizeof line - 1);
    if (got > 0) line[got - 1] = '\0';
    printf("rank 0 has read '%s'\n", line);
  } else {
    for (int i = 0; i < 1000; ++i) RCCE_wtime();
  }
  return 0;
}
