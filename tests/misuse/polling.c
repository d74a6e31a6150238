/* Loops that look at what nobody will ever change, one by each word, and such as end by themselves. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "iRCCE.h"

static char buffer[256];
static iRCCE_SEND_REQUEST send;
static iRCCE_RECV_REQUEST receive;
static int me, last, test;
static volatile int* word;

/* Each returns when it has seen what it waits for: never. */
static void endless(const char* kind) {
  int value = 0, rounds = 0;
  if (!strcmp(kind, "recv-test") || !strcmp(kind, "recv-test-by-all")) {
    while (!test) RCCE_recv_test(buffer, 64, last - 1, &test);
  } else if (!strcmp(kind, "several")) {
    while (!test)
      for (value = 0; value < last && !test; value++) RCCE_recv_test(buffer, 64, value, &test);
  } else if (!strcmp(kind, "irecv-test")) {
    iRCCE_irecv(buffer, 64, 0, &receive);
    while (!test) iRCCE_irecv_test(&receive, &test);
  } else if (!strcmp(kind, "locked-page") || !strcmp(kind, "freed-block")) { /* memory that nobody may read */
    void* page;
    if (posix_memalign(&page, 4096, 8192) != 0) exit(3);
    memset(page, me, 8192);
    if (!strcmp(kind, "freed-block")) free(page);
    else if (mprotect(page, 4096, PROT_NONE) != 0) exit(3);
    while (!test) RCCE_recv_test(buffer, 64, 0, &test);
  } else if (!strcmp(kind, "isend-test")) {
    iRCCE_isend(buffer, 64, 0, &send);
    while (iRCCE_isend_test(&send, NULL) != iRCCE_SUCCESS) {
    }
  } else if (!strcmp(kind, "iprobe")) {
    while (!test) iRCCE_iprobe(0, NULL, &test);
  } else if (!strcmp(kind, "push")) {
    iRCCE_irecv(buffer, 64, 0, &receive);
    while (iRCCE_irecv_push() != iRCCE_SUCCESS) {
    }
  } else if (!strcmp(kind, "counter")) {
    iRCCE_AIR* counter = NULL;
    iRCCE_atomic_alloc(&counter);
    while (value == 0) iRCCE_atomic_read(counter, &value);
  } else if (!strcmp(kind, "memory")) {
    while (*word == 0) {
    }
  } else if (!strcmp(kind, "yields")) {
    while (*word == 0) sched_yield();
  } else if (!strcmp(kind, "sleeps")) {
    for (; !test; usleep(100)) RCCE_recv_test(buffer, 64, 0, &test);
  } else if (!strcmp(kind, "counts")) {
    for (; !test; rounds++) RCCE_recv_test(buffer, 64, 0, &test);
  }
  printf("%d %d\n", value, rounds);
}

static void on_alarm(int number) {
  test = number;
}

static void ends(const char* kind) {
  int rounds = 0;
  if (!strcmp(kind, "bounded")) {
    for (; rounds < 100000 && !test; rounds++) RCCE_recv_test(buffer, 64, 0, &test);
  } else if (!strcmp(kind, "bounded-in-memory")) {
    int* const counter = calloc(100000, sizeof *counter);
    while (!test && ++counter[50000] < 100000) RCCE_recv_test(buffer, 64, 0, &test);
  } else if (!strcmp(kind, "bounded-in-shared-memory")) {
    while (*word == 0) *word = ++word[1] == 10000000;
  } else if (!strcmp(kind, "bounded-by-chance")) {
    while (!test && rand() % 20000 != 0) RCCE_recv_test(buffer, 64, 0, &test);
  } else if (!strcmp(kind, "bounded-by-clock")) {
    const double start = RCCE_wtime();
    while (!test && RCCE_wtime() - start < 0.02) RCCE_recv_test(buffer, 64, 0, &test);
  } else if (!strcmp(kind, "livelock")) { /* as if for ever, but that a test has to end */
    for (; rounds < 20000000; rounds++) {
      RCCE_acquire_lock(0);
      RCCE_release_lock(0);
    }
  } else if (!strcmp(kind, "livelock-in-memory")) {
    while (*word == 0) *word = ++word[1] == 200000000;
  } else if (!strcmp(kind, "alarm") || !strcmp(kind, "alarm-unhandled")) {
    if (!strcmp(kind, "alarm")) signal(SIGALRM, on_alarm);
    alarm(1);
    while (!*(volatile int*)&test) iRCCE_iprobe(0, NULL, &rounds);
  }
}

int RCCE_APP(int argc, char** argv) {
  const char* kind;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  kind = argc > 1 ? argv[1] : "";
  me = RCCE_ue();
  last = RCCE_num_ues() - 1;
  word = (volatile int*)RCCE_shmalloc(64);
  if (!strcmp(kind, "late")) { /* a message comes after long polling */
    if (me == 0) {
      usleep(200000);
      RCCE_send(buffer, 64, last);
    } else if (me == last) {
      while (!test) RCCE_recv_test(buffer, 64, 0, &test);
    }
  } else if (!strcmp(kind, "others-wait")) { /* one polls, the others wait for it */
    if (me == last) endless("memory");
    RCCE_barrier(&RCCE_COMM_WORLD);
  } else if (strncmp(kind, "bounded", 7) != 0 && strncmp(kind, "alarm", 5) != 0 &&
             strncmp(kind, "livelock", 8) != 0) {
    if (me == last || !strcmp(kind, "recv-test-by-all")) endless(kind);
  } else if (me == last) {
    ends(kind);
  }
  printf("rank %d ok\n", me);
  RCCE_finalize();
  return 0;
}
