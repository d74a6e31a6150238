/* Programs that end well as long as everybody is as fast as usual. $1: which. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iRCCE_lib.h"

/* Rank 0 prints messages as they come, whoever sends them. */
static void any_source(int me, int ues) {
  char text[32];
  int i;
  for (i = 1; me == 0 && i < ues; ++i) {
    iRCCE_RECV_REQUEST request;
    iRCCE_irecv(text, sizeof text, iRCCE_ANY_SOURCE, &request);
    iRCCE_irecv_wait(&request);
    printf("%s\n", text);
  }
  if (me != 0) {
    iRCCE_SEND_REQUEST request;
    snprintf(text, sizeof text, "this is rank %d", me);
    iRCCE_isend(text, sizeof text, 0, &request);
    iRCCE_isend_wait(&request);
  }
}

/* Rank 0 prints which of the messages of ranks 1 and 2 is there first. */
static void any_of_two(int me) {
  static char texts[2][32];
  iRCCE_RECV_REQUEST requests[2], *first;
  iRCCE_WAIT_LIST list;
  int i;
  if (me != 0) {
    iRCCE_send(texts[0], sizeof texts[0], 0);
    return;
  }
  iRCCE_init_wait_list(&list);
  for (i = 0; i < 2; ++i) {
    iRCCE_irecv(texts[i], sizeof texts[i], i + 1, &requests[i]);
    iRCCE_add_to_wait_list(&list, NULL, &requests[i]);
  }
  iRCCE_wait_any(&list, NULL, &first);
  printf("rank %d\n", first == requests ? 1 : 2);
  iRCCE_wait_all(&list);
}

/* Prints from whom a message waits to be received. */
static void probe_any(int me, int ues) {
  char text[32] = {0};
  int from, received;
  if (me != 0) {
    iRCCE_send(text, sizeof text, 0);
    return;
  }
  for (received = 1; received < ues; ++received) {
    iRCCE_probe(iRCCE_ANY_SOURCE, &from);
    printf("from %d\n", from);
    iRCCE_recv(text, sizeof text, from);
  }
}

/* Ranks 0 and 1 take the same two locks, each its own first. */
static void lock_order(int me) {
  int i;
  /* Rank 1 has something else to do first, usually for long enough. */
  for (i = 0; me == 1 && i < 20; ++i) {
    RCCE_acquire_lock(1);
    RCCE_release_lock(1);
  }
  if (me > 1) return;
  RCCE_acquire_lock(me);
  RCCE_acquire_lock(1 - me);
  RCCE_release_lock(1 - me);
  RCCE_release_lock(me);
  printf("rank %d had both\n", me);
}

/* Takes turns in asking whether rank 1 has sent: how often is left to chance, and not printed. */
static void polls(int me) {
  char text[64] = "from rank 1";
  if (me == 0) {
    int arrived = 0;
    while (!arrived) RCCE_recv_test(text, sizeof text, 1, &arrived);
    printf("%s\n", text);
  } else if (me == 1) {
    RCCE_send(text, sizeof text, 0);
  }
}

/* Never ends where rank 1 has not set the word before rank 0 looks at it for the first time. */
static void endless(int me) {
  static volatile int* word;
  int i, first;
  word = (volatile int*)RCCE_shmalloc(sizeof(int));
  if (me == 1) *word = 1;
  for (i = 0; me == 0 && i < 5; ++i) {
    RCCE_acquire_lock(0);
    RCCE_release_lock(0);
  }
  first = *word;
  while (me == 0 && !first) {
    RCCE_acquire_lock(0);
    RCCE_release_lock(0);
  }
}

/* The same, where rank 0 waits on the word itself: counting its rounds, so that it might end by itself; or
 * `aside`, by a loop that no other core gets a chance in. */
enum how { plainly, counting, aside };
static void spins(int me, enum how how) {
  volatile int* word = (volatile int*)RCCE_shmalloc(2 * sizeof(int));
  volatile unsigned rounds = 0;
  int i, first;
  if (me == 1) word[0] = 1;
  for (i = 0; me == 0 && i < 5; ++i) {
    RCCE_acquire_lock(0);
    RCCE_release_lock(0);
  }
  first = word[0];
  if (me != 0 || first) return;
  if (how == aside)
    for (;;) i = i * 5 + 1;
  if (how == counting)
    while (!word[1]) rounds = rounds + 1;
  while (!word[1]) {}
}

/* Prints numbers after it has asked for the time. */
static void times(int me) {
  const double begin = RCCE_wtime();
  RCCE_barrier(&RCCE_COMM_WORLD);
  printf("rank %d: 2 barriers took %10.3f us\n", me, (RCCE_wtime() - begin) * 1e6);
}

/* Status 3 where there is no input. */
static void reads(int me) {
  int number;
  if (me == 0 && scanf("%d", &number) != 1) exit(3);
}

int RCCE_APP(int argc, char** argv) {
  int me, ues;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  me = RCCE_ue();
  ues = RCCE_num_ues();
  if (strcmp(argv[1], "any-source") == 0) any_source(me, ues);
  if (strcmp(argv[1], "any-of-two") == 0) any_of_two(me);
  if (strcmp(argv[1], "probe-any") == 0) probe_any(me, ues);
  if (strcmp(argv[1], "lock-order") == 0) lock_order(me);
  if (strcmp(argv[1], "polls") == 0) polls(me);
  if (strcmp(argv[1], "endless") == 0) endless(me);
  if (strcmp(argv[1], "spins") == 0) spins(me, plainly);
  if (strcmp(argv[1], "counts") == 0) spins(me, counting);
  if (strcmp(argv[1], "loops") == 0) spins(me, aside);
  if (strcmp(argv[1], "times") == 0) times(me);
  if (strcmp(argv[1], "addresses") == 0) printf("%p\n", (void*)&me);
  if (strcmp(argv[1], "reads") == 0) reads(me);
  RCCE_finalize();
  return 0;
}
