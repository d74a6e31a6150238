/* RCCE_shmalloc, RCCE_shfree, RCCE_shflush: byte granularity, placement rule, exhaustion, one region for all
 * UEs that is zero at start, pointers equal on all UEs. */
#include "RCCE.h"

#include "ue_check.h"

int RCCE_APP(int argc, char** argv) {
  t_vcharp base, a, b, c, d, big;
  int me, ues, n;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();

  /* How programs find the start of the region. */
  base = RCCE_shmalloc(1);
  CHECK(base != NULL, "no shared memory");
  RCCE_shfree(base);
  a = RCCE_shmalloc(1);
  CHECK(a == base, "the start is given out again");
  b = RCCE_shmalloc(7);
  c = RCCE_shmalloc(8);
  d = RCCE_shmalloc(100);
  CHECK_INT(b - base, 1);
  CHECK_INT(c - base, 8);
  CHECK_INT(d - base, 16);
  CHECK(RCCE_shmalloc(0) == NULL, "size 0");
  CHECK((unsigned long)base + RCCE_SHM_SIZE_MAX <= 0x100000000ul, "the region lies below 4 GiB");

  /* The tail comes first, then the first block that is large enough. */
  RCCE_shfree(b);
  CHECK_INT(RCCE_shmalloc(4) - base, 116);
  big = RCCE_shmalloc(RCCE_SHM_SIZE_MAX - 120);
  CHECK_INT(big - base, 120);
  CHECK_INT(RCCE_shmalloc(3) - base, 1);
  CHECK_INT(RCCE_shmalloc(4) - base, 4);
  CHECK(RCCE_shmalloc(1) == NULL, "exhausted");
  RCCE_shfree(NULL);
  RCCE_shfree(base + 50);
  /* Freed neighbours merge, next to the tail into it. */
  RCCE_shfree(c);
  RCCE_shfree(d);
  CHECK_INT(RCCE_shmalloc(108) - base, 8);
  RCCE_shfree(big);
  CHECK_INT(RCCE_shmalloc(1000) - base, 120);
  a = RCCE_shmalloc(4 * RCCE_MAXNP + 3);
  CHECK_INT(a - base, 1120);

  /* Zero at start, shared by all, at odd addresses. */
  a += 3;
  for (n = 0; n < 4 * ues; ++n) CHECK(a[n] == 0, "byte %d is not zero at start", n);
  RCCE_barrier(&RCCE_COMM_WORLD);
  ((volatile int*)a)[me] = 1000 + me;
  RCCE_shflush();
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (n = 0; n < ues; ++n) CHECK(((volatile int*)a)[n] == 1000 + n, "rank %d", n);
  RCCE_barrier(&RCCE_COMM_WORLD);

  /* A pointer of one UE holds on another. */
  if (me == 0) *(volatile unsigned long*)(base + 2048) = (unsigned long)a;
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK(*(volatile unsigned long*)(base + 2048) == (unsigned long)a, "pointers differ between UEs");

  return check_finalize();
}
