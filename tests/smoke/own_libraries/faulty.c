/* SPDX-License-Identifier: Apache-2.0 */
/* A library that reads through a null pointer, writes beyond a block, and waits on memory. */
#include <stdlib.h>

int read_of(const int *p) { return *p; }
void write_beyond(void) {
  volatile char *const block = malloc(10);
  block[12] = 1;
  free((void *)block);
}
void wait_for(const volatile int *p) {
  while (*p == 0) continue;
}
