/* Wrong uses of message-passing buffers in the low-level interface, one by each word, which --check mpb has
 * to report. Compiled with -DGORY. */
#include "RCCE.h"
#include "RCCE_lib.h"
#include <stdio.h>
#include <string.h>

static char data[512];
static RCCE_FLAG flag;

/* A buffer of 64 bytes with one of 32 behind it: 96 bytes do not fit. */
static void overrun(int me) {
  const t_vcharp first = RCCE_malloc(32);
  const t_vcharp second = RCCE_malloc(64);
  const t_vcharp low = first < second ? first : second;
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) RCCE_put(low, (t_vcharp)data, 96, 1);
}

/* A buffer of 64 bytes with nothing behind it. */
static void overrun_free(int me) {
  const t_vcharp buffer = RCCE_malloc(64);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) RCCE_put(buffer, (t_vcharp)data, 96, 1);
}

static void overrun_get(int me) {
  const t_vcharp first = RCCE_malloc(32);
  const t_vcharp second = RCCE_malloc(64);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) RCCE_get((t_vcharp)data, first < second ? first : second, 96, 1);
}

static void two_writers(int me) {
  const t_vcharp buffer = RCCE_malloc(128);
  if (me < 2) RCCE_put(buffer + 32 * me, (t_vcharp)data, 64, 2);
}

/* The flag says that the writer begins, not that it has written. */
static void torn(int me) {
  const t_vcharp buffer = RCCE_malloc(256);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) {
    RCCE_flag_write(&flag, RCCE_FLAG_SET, 1);
    RCCE_put(buffer, (t_vcharp)data, 256, 0);
  } else if (me == 1) {
    RCCE_wait_until(flag, RCCE_FLAG_SET);
    rcce_compute(100000);
    RCCE_get((t_vcharp)data, buffer, 256, 0);
  }
}

/* Of two puts that follow each other the later one is what another reads too early. */
static void put_twice(int me) {
  const t_vcharp buffer = RCCE_malloc(128);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) {
    RCCE_put(buffer, (t_vcharp)data, 64, 1);
    RCCE_flag_write(&flag, RCCE_FLAG_SET, 0);
    RCCE_put(buffer, (t_vcharp)data, 128, 1);
  } else if (me == 1) {
    rcce_compute(100000);
    RCCE_get((t_vcharp)data, buffer, 64, 1);
  }
}

/* A single byte in the midst of what another puts there. */
static void read_in_put(int me) {
#if ROCKCREEK_RCCE >= 20
  const t_vcharp buffer = RCCE_malloc(64);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) RCCE_put(buffer, (t_vcharp)data, 64, 1);
  if (me == 1) {
    rcce_compute(100000);
    RCCE_get_char((t_vcharp)data, buffer + 40, 1);
  }
#endif
}

/* Rank 1 clears its flag by a store of its own and sets it, rank 2 clears it without a word. */
static void cleared_by_two(int me) {
#if ROCKCREEK_RCCE >= 20
  if (me == 1) {
    *flag.flag_addr = 0;
    rcce_touch((const void*)flag.flag_addr, 1, 1);
    RCCE_flag_write(&flag, RCCE_FLAG_SET, 1);
  } else if (me == 2) {
    rcce_compute(100000);
    RCCE_flag_write(&flag, RCCE_FLAG_UNSET, 1);
  }
#endif
}

/* The second read by pointers comes after the writer's lock, but from the cache. */
static void stale(int me, int invalidate) {
  const t_vcharp buffer = RCCE_malloc(32);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) {
    rcce_compute(20000);
    RCCE_acquire_lock(0);
    RCCE_put(buffer, (t_vcharp)data, 32, 1);
    RCCE_release_lock(0);
  } else if (me == 1) {
    int round;
    for (round = 0; round < 2; ++round) {
      RCCE_acquire_lock(0);
      if (invalidate == 1) RC_cache_invalidate();
      if (invalidate == 2) __asm__ volatile(".byte 0x0f, 0x0a" ::: "memory"); /* CL1INVMB */
      rcce_touch((const void*)buffer, 32, 0);
      RCCE_release_lock(0);
      rcce_compute(100000);
    }
  }
}

static void freed_in_use(int me) {
  if (me == 1) RCCE_flag_free(&flag);
  if (me == 0) RCCE_flag_write(&flag, RCCE_FLAG_SET, 1);
}

static void freed_before_wait(int me) {
  RCCE_FLAG copy;
  if (me != 1) return;
  RCCE_flag_write(&flag, RCCE_FLAG_SET, 1);
  copy = flag;
  RCCE_flag_free(&flag);
  RCCE_wait_until(copy, RCCE_FLAG_SET);
}

static void freed_before_write(int me) {
  if (me == 0) {
    RCCE_flag_free(&flag);
    RCCE_flag_write(&flag, RCCE_FLAG_SET, 1);
  } else if (me == 1) {
    RCCE_wait_until(flag, RCCE_FLAG_SET);
  }
}

static void freed_before_read(int me) {
  RCCE_FLAG_STATUS value;
  if (me == 1) RCCE_flag_free(&flag);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me == 0) RCCE_flag_read(flag, &value, 1);
}

int RCCE_APP(int argc, char** argv) {
  const char* kind;
  int me;
  RCCE_init(&argc, &argv);
  kind = argc > 1 ? argv[1] : "";
  me = RCCE_ue();
  RCCE_flag_alloc(&flag);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (!strcmp(kind, "overrun")) {
    overrun(me);
  } else if (!strcmp(kind, "overrun-free")) {
    overrun_free(me);
  } else if (!strcmp(kind, "overrun-get")) {
    overrun_get(me);
  } else if (!strcmp(kind, "two-writers")) {
    two_writers(me);
  } else if (!strcmp(kind, "torn")) {
    torn(me);
  } else if (!strcmp(kind, "put-twice")) {
    put_twice(me);
  } else if (!strcmp(kind, "read-in-put")) {
    read_in_put(me);
  } else if (!strcmp(kind, "cleared-by-two")) {
    cleared_by_two(me);
  } else if (!strcmp(kind, "stale")) {
    stale(me, 0);
  } else if (!strcmp(kind, "fresh")) {
    stale(me, 1);
  } else if (!strcmp(kind, "fresh-by-instruction")) {
    stale(me, 2);
  } else if (!strcmp(kind, "freed-in-use")) {
    freed_in_use(me);
  } else if (!strcmp(kind, "freed-before-wait")) {
    freed_before_wait(me);
  } else if (!strcmp(kind, "freed-before-write")) {
    freed_before_write(me);
  } else if (!strcmp(kind, "freed-before-read")) {
    freed_before_read(me);
  } else {
    fprintf(stderr, "no such kind: %s\n", kind);
    return 99;
  }
  RCCE_finalize();
  return 0;
}
