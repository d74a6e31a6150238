/* Buffer memory and flags that the UEs do not allocate alike, by a word each, so that an address or a flag of
 * one means another place in the buffer of another; and uses that are right. Compiled with -DGORY. */
#include "RCCE.h"
#include "RCCE_lib.h"
#include <stdio.h>
#include <string.h>

static int data[8] = {7}, found[8];

/* Rank 0 passes a line to rank 1 by the block, and says so by the flag. */
static void pass(t_vcharp block, RCCE_FLAG flag) {
  if (RCCE_ue() == 0) {
    RCCE_put(block, (t_vcharp)data, 32, 1);
    RCCE_flag_write(&flag, RCCE_FLAG_SET, 1);
  } else if (RCCE_ue() == 1) {
    RCCE_wait_until(flag, RCCE_FLAG_SET);
    RCCE_get((t_vcharp)found, block, 32, 1);
    printf("%d\n", found[0]);
  }
}

int RCCE_APP(int argc, char **argv) {
  const char *kind;
  int me;
  RCCE_FLAG flag, other;
  t_vcharp block = 0, first = 0;
  RCCE_init(&argc, &argv);
  kind = argc > 1 ? argv[1] : "";
  me = RCCE_ue();
  if (!strcmp(kind, "size")) {
    first = RCCE_malloc(me == 1 ? 64 : 32);
  } else if (!strcmp(kind, "only") && me == 0) {
    first = RCCE_malloc(32);
  } else if (
      !strcmp(kind,
              "scratch-larger")) { /* right: what comes behind it are flags in a line that was there before */
    first = RCCE_malloc(me == 1 ? 64 : 32);
    RCCE_flag_alloc(&flag);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0) RCCE_flag_write(&flag, RCCE_FLAG_SET, 1);
    if (me == 1) RCCE_wait_until(flag, RCCE_FLAG_SET);
    if (me == 1) printf("7\n");
    RCCE_finalize();
    return 0;
  } else if (!strcmp(kind, "scratch-freed") && me == 1) { /* right: it is gone before the others come */
    RCCE_free(RCCE_malloc(96));
  } else if (!strcmp(kind, "freed")) { /* each another one of two */
    first = RCCE_malloc(32);
    block = RCCE_malloc(32);
    RCCE_free(me == 0 ? block : first);
  } else if (!strcmp(kind, "late") && me == 1) { /* right */
    rcce_compute(100000);
  } else if (!strcmp(kind, "rounds")) { /* right */
    for (int i = 0; i < 10000; ++i) RCCE_free(RCCE_malloc(64));
  }
  block = RCCE_malloc(32);
  if (!strcmp(kind, "flag") && me == 0) RCCE_flag_alloc(&other);
  if (!strcmp(kind, "flag-of-reader") && me == 1) RCCE_flag_alloc(&other);
  RCCE_flag_alloc(&flag);
  if (!strcmp(kind, "scratch") && me == 0) { /* right: nobody else is meant by it */
    first = RCCE_malloc(64);
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_put(first, (t_vcharp)data, 32, 0);
    RCCE_get((t_vcharp)found, first, 32, 0);
  } else if (strcmp(kind, "late")) {
    RCCE_barrier(&RCCE_COMM_WORLD);
  }
  pass(block, flag);
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_finalize();
  return 0;
}
