/* RCCE_acquire_lock and RCCE_release_lock: mutual exclusion around plain loads and stores, every lock,
 * release by another UE. */
#include "RCCE.h"

#include "ue_check.h"

enum { rounds = 20 };

int RCCE_APP(int argc, char** argv) {
  volatile int* shared;
  int me, ues, n, lock;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  shared = (volatile int*)RCCE_shmalloc((RCCE_MAXNP + 2) * sizeof(int));

  for (lock = 0; lock<ues; lock += ues> 5 ? 11 : 1)
    for (n = 0; n < rounds; ++n) {
      int before;
      CHECK_INT(RCCE_acquire_lock(lock), 0);
      before = shared[lock];
      CHECK(shared[ues] == 0, "lock %d: two inside", lock);
      RCCE_wtime(); /* others may act now */
      shared[lock] = before + 1;
      CHECK_INT(RCCE_release_lock(lock), 0);
    }
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (lock = 0; lock<ues; lock += ues> 5 ? 11 : 1)
    CHECK(shared[lock] == rounds * ues, "lock %d: %d increments, expected %d", lock, shared[lock],
          rounds * ues);
  RCCE_barrier(&RCCE_COMM_WORLD);

  /* Taken by the first, released by the last, taken by the last. */
  if (me == 0) RCCE_acquire_lock(0);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == ues - 1) {
    CHECK_INT(RCCE_release_lock(0), 0);
    CHECK_INT(RCCE_acquire_lock(0), 0);
    CHECK_INT(RCCE_release_lock(0), 0);
    CHECK_INT(RCCE_release_lock(0), 0);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  CHECK_INT(RCCE_acquire_lock(me), 0);
  CHECK_INT(RCCE_release_lock(me), 0);
  return check_end();
}
