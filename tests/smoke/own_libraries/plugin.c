/* SPDX-License-Identifier: Apache-2.0 */
/* A library that the program opens. */
#include <stdio.h>
#include <stdlib.h>

int next(void);
int RCCE_ue(void);

static int count;
static __thread int local = 3;

int plugged(void) {
  ++count;
  ++local;
  printf("plugin on %d: count %d, local %d, next %d\n", RCCE_ue(), count, local, next());
  return count;
}

static void at_end(void) { printf("plugin's exit function of %d\n", RCCE_ue()); }
__attribute__((constructor)) static void begin(void) {
  printf("plugin begins\n");
  atexit(at_end);
}
__attribute__((destructor)) static void end(void) { printf("plugin ends at %d\n", count); }
