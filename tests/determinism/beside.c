/* First and last UE exchange messages from the heap, the stack and globals and print the times; the others do
 * nothing. Eager allocation of everything that a run depends on happens in all of them, so addresses relative
 * to the core must not depend on their number. */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

static char global[30000];

static void measure(const char* what, char* data, int me, int last) {
  int n;
  double start = RCCE_wtime();
  for (n = 0; n < 4; ++n)
    if (me == 0) {
      RCCE_send(data, 30000, last);
      RCCE_recv(data, 30000, last);
    } else {
      RCCE_recv(data, 30000, 0);
      RCCE_send(data, 30000, 0);
    }
  if (me == 0) printf("%s: %.6f us\n", what, (RCCE_wtime() - start) * 1e6);
}

int RCCE_APP(int argc, char** argv) {
  char local[30000], *blocks[10];
  int me, last, n;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  last = RCCE_num_ues() - 1;
  for (n = 0; n < 10; ++n) blocks[n] = malloc(100 + 30000 * n);
  if (me == 0 || me == last) {
    /* An explicit first exchange: the clocks of both sides start at the same place however many UEs there
     * are. */
    measure("first", global, me, last);
    measure("globals", global, me, last);
    measure("stack", local, me, last);
    for (n = 1; n < 10; n += 4) measure("heap", blocks[n], me, last);
  }
  return 0;
}
