/* SPDX-License-Identifier: Apache-2.0 */
/* faults read|write|wait: what the library does wrong is told with its place there; its loops let others
   run. */
#include <stdio.h>
#include <string.h>

#include "RCCE.h"

int read_of(const int *p);
void write_beyond(void);
void wait_for(const volatile int *p);

int main(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  volatile int *const word = (volatile int *)RCCE_shmalloc(32);
  if (strcmp(argv[1], "wait") == 0) {
    if (RCCE_ue() == 1)
      *word = 1;
    else
      wait_for(word);
    printf("%d has waited\n", RCCE_ue());
  } else if (RCCE_ue() == 1) {
    if (strcmp(argv[1], "write") == 0) write_beyond();
    else printf("%d\n", read_of(NULL));
  }
  RCCE_finalize();
  return 0;
}
