// SPDX-License-Identifier: Apache-2.0
/* Tables that RCCE_init writes on every UE of a large mesh: right on each, each UE's own as soon as it writes
 * to them, and until then in memory once. The last UE prints how many have a page in the middle alone. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "RCCE.h"
#include "RCCE_lib.h"

enum { writer = 5, changed = 1500 };

/* True if the host keeps that page for this UE alone: bit 61 of its word says that it is a file's, bit 63
 * that it is there. */
static int is_own(const void *address)
{
  uint64_t word = 0;
  const int map = open("/proc/self/pagemap", O_RDONLY);
  const long at = (long)((uintptr_t)address / 4096 * sizeof word);
  const int read_it = map >= 0 && pread(map, &word, sizeof word, at) == sizeof word;
  if (map >= 0) close(map);
  return !read_it || ((word >> 63) != 0 && ((word >> 61) & 1) == 0);
}

int RCCE_APP(int argc, char **argv)
{
  int me, ues, rank, own = 0, wrong = 0;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  if (me == writer) RC_COREID[changed] = RCCE_COMM_WORLD.member[changed] = -1;
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (rank = 0; rank < ues; ++rank) {
    const int expected = me == writer && rank == changed ? -1 : rank;
    if (RC_COREID[rank] != expected || RCCE_COMM_WORLD.member[rank] != expected) wrong = 1;
  }
  if (wrong) printf("rank %d: a table is WRONG\n", me);
  if (me == writer) RC_COREID[changed] = RCCE_COMM_WORLD.member[changed] = changed;
  if (me > 0) RCCE_recv((char *)&own, sizeof own, me - 1);
  own += is_own(&RC_COREID[changed - 476]);
  if (me < ues - 1)
    RCCE_send((char *)&own, sizeof own, me + 1);
  else
    printf("%d of %d have a page of their own\n", own, ues);
  return wrong;
}
