/* Programs that do one thing wrong each; argv[1] says which. The tests expect a report and a status, never a
 * hang. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "RCCE.h"

static char data[10000];
static int me, ues;

static int even(int rank, void* aux) {
  (void)aux;
  return rank % 2;
}

__attribute__((noinline)) static int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = (char)depth;
  return recurse(depth + 1) + frame[0];
}

static int wrong(const char* what) {
  if (!strcmp(what, "both-send")) {
    RCCE_send(data, 64, 1 - me);
    RCCE_recv(data, 64, 1 - me);
  } else if (!strcmp(what, "cycle")) {
    RCCE_send(data, 640, (me + 1) % ues);
    RCCE_recv(data, 640, (me + ues - 1) % ues);
  } else if (!strcmp(what, "size")) { /* 3 pieces against 1 */
    if (me == 0) RCCE_send(data, 9000, 1);
    if (me == 1) RCCE_recv(data, 4, 0);
  } else if (!strcmp(what, "size-tested")) {
    int received = 0;
    if (me == 0) RCCE_send(data, sizeof data, 1);
    while (me == 1 && !received) RCCE_recv_test(data, 64, 0, &received);
  } else if (!strcmp(what, "size-same-pieces")) { /* goes through on the chip, with rubbish at the end */
    if (me == 0) RCCE_send(data, 4, 1);
    if (me == 1) RCCE_recv(data, 20, 0);
  } else if (!strcmp(what, "size-of-all")) {
    RCCE_send(data, (size_t)-1, (me + 1) % ues);
  } else if (!strcmp(what, "left")) {
    if (me == 1) return 0;
    if (me == 0) RCCE_recv(data, 100, 1);
  } else if (!strcmp(what, "self")) {
    RCCE_send(data, 100, me);
  } else if (!strcmp(what, "barrier-self")) {
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_send(data, 100, me);
  } else if (!strcmp(what, "barrier-missed")) {
    if (me != 1) RCCE_barrier(&RCCE_COMM_WORLD);
  } else if (!strcmp(what, "finalize-missed")) { /* a call in the middle of the others' end */
    if (me == 1) RCCE_recv(data, 64, 0);
    RCCE_finalize();
  } else if (!strcmp(what, "barriers-crossed")) {
    RCCE_COMM half;
    RCCE_comm_split(even, NULL, &half);
    if (me == 0) RCCE_barrier(&half);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 2) RCCE_barrier(&half);
  } else if (!strcmp(what, "split-missed")) {
    RCCE_COMM comm;
    memset(&comm, 0, sizeof comm);
    if (me != 1) RCCE_comm_split(even, NULL, &comm);
  } else if (!strcmp(what, "lock-twice")) {
    RCCE_acquire_lock(0);
    if (me == 0) RCCE_acquire_lock(0);
  } else if (!strcmp(what, "null-write")) {
    if (me == 1) *(volatile int*)0 = 1;
    RCCE_barrier(&RCCE_COMM_WORLD);
  } else if (!strcmp(what, "null-buffer")) {
    if (me == 0) RCCE_send(NULL, 64, 1);
    if (me == 1) RCCE_recv(data, 64, 0);
  } else if (!strcmp(what,
                     "null-buffer-among-copies")) { /* while others' copies are under way on its stack */
    if (me == 0) RCCE_send(data, sizeof data, 1);
    if (me == 1) RCCE_recv(data, sizeof data, 0);
    if (me == 2) RCCE_send(data, sizeof data, 3);
    if (me == 3) RCCE_recv(NULL, sizeof data, 2);
  } else if (!strcmp(what, "first-byte-among-copies")) { /* of the buffer alone may not be written to */
    const long page = sysconf(_SC_PAGESIZE);
    char* pages = mmap(NULL, 16 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages, page, PROT_NONE);
    if (me == 0) RCCE_send(data, sizeof data, 1);
    if (me == 1) RCCE_recv(data, sizeof data, 0);
    if (me == 2) RCCE_send(data, sizeof data, 3);
    if (me == 3) RCCE_recv(pages + page - 1, sizeof data, 2);
  } else if (!strcmp(what, "divide")) {
    volatile int zero = me - 1;
    if (me == 1) printf("%d\n", ues / zero); /* 1 / zero would not need the instruction */
    RCCE_barrier(&RCCE_COMM_WORLD);
  } else if (!strcmp(what, "overflow")) {
    if (me == 1) return recurse(0);
    RCCE_barrier(&RCCE_COMM_WORLD);
  } else if (!strcmp(what, "abort")) {
    if (me == 1) abort();
    RCCE_barrier(&RCCE_COMM_WORLD);
  } else if (!strcmp(what, "raise")) {
    if (me == 1) raise(SIGTERM);
    RCCE_barrier(&RCCE_COMM_WORLD);
  } else if (!strcmp(what, "exit7")) {
    if (me == 1) exit(7);
  } else if (!strcmp(what, "return5")) {
    return me == 1 ? 5 : 0;
  } else if (!strcmp(what, "all-fail")) { /* the lowest failing rank's status, whoever ends first */
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == ues - 1) exit(50);
    while (RCCE_wtime() < 1e-3 * (ues - me)) {
    }
    return me == 0 ? 0 : 40 + me;
  } else if (!strcmp(what, "exit-then-wait")) {
    if (me == 1) exit(7);
    RCCE_barrier(&RCCE_COMM_WORLD);
  } else if (!strcmp(what, "_exit")) {
    printf("rank %d before\n", me);
    if (me == 1) _exit(9);
  } else if (!strcmp(what, "endless") || !strcmp(what, "lines-endless")) {
    int line;
    for (line = 1; !strcmp(what, "lines-endless") && line <= 3; ++line) printf("rank %d line %d\n", me, line);
    volatile unsigned long rounds = 0;
    for (;;) ++rounds;
  } else if (!strcmp(what, "parked")) { /* the others run all the same */
    if (me == 0)
      for (;;) continue;
    while (RCCE_wtime() < 1e-3) continue; /* rank 0 comes first */
    printf("rank %d goes on\n", me);
  } else if (!strcmp(what, "one-computes")) { /* the others wait for it, in two ways */
    volatile unsigned long rounds = 0;
    while (me == 1 && RCCE_wtime() < 1e-3) {
    }
    printf("rank %d waits\n", me);
    if (me == 0) RCCE_recv(data, 100, 1);
    if (me == 2) RCCE_barrier(&RCCE_COMM_WORLD);
    printf("rank %d is half way", me);
    fflush(stdout);
    for (;;) ++rounds;
  } else if (!strcmp(what, "finalize-early")) {
    if (me == 1) return 0; /* the others' finalize is a barrier among those that are left */
    RCCE_finalize();
    printf("rank %d finalized\n", me);
    return 0;
  } else if (!strcmp(what, "negative-size")) {
    if (me == 0)
      RCCE_send(data, (size_t)-5, 1);
    else
      RCCE_recv(data, (size_t)-5, 0);
  } else if (!strcmp(what, "compute-for-ever")) {
    rcce_compute(1000);
    if (me == 1) rcce_compute(LLONG_MAX);
    RCCE_barrier(&RCCE_COMM_WORLD);
  } else if (!strcmp(what, "sleep-for-ever")) {
    if (me == 1) rcce_sleep_until(LLONG_MAX);
    RCCE_barrier(&RCCE_COMM_WORLD);
  } else if (!strcmp(what, "no-init")) {
    return 0;
  } else if (!strcmp(what, "chatter")) {
    int n;
    for (n = 0; n < 100000; ++n) printf("rank %d says line %d and some more words\n", me, n);
  } else {
    printf("unknown kind of wrong: %s\n", what);
    return 99;
  }
  return 0;
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  return wrong(argc > 1 ? argv[1] : "");
}
