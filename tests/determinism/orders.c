/* A small program given in the arguments: one word per rank, which does its operations in turn and prints
 * what it has seen. Compiled with rccecc --observe; with -DGORY it has flags, else iRCCE's messages. */
#include "RCCE.h"
#ifndef GORY
#include "iRCCE.h"
#endif
#include <stdio.h>
#include <string.h>

static volatile int *word; /* in shared memory */
static char seen[256];

static void note(int value) {
  char text[16];
  snprintf(text, sizeof text, " %d", value);
  strncat(seen, text, sizeof seen - strlen(seen) - 1);
}

/* Loads and stores of the program's own. Returns 0 where the operation is another. */
static int plain(char operation, int a, int b) {
  switch (operation) {
  case 's': word[a] = b; break;
  case 'l': note(word[a]); break;
  case 'i': word[a]++; break;
  case 'w':
    while (word[a] != b) {}
    break;
  case 'n':
    while (!word[a]) {}
    note(word[a]);
    break;
  case 'e':
    while (!word[a] && !word[b]) {}
    note(word[a]);
    note(word[b]);
    break;
  case 'k':
    RCCE_acquire_lock(0);
    word[a]++;
    RCCE_release_lock(0);
    break;
  default: return 0;
  }
  return 1;
}

#ifdef GORY
static RCCE_FLAG flag;

static void shared(char operation, int a, int b) {
  RCCE_FLAG_STATUS value;
  switch (operation) {
  case 'f': RCCE_flag_write(&flag, b ? RCCE_FLAG_SET : RCCE_FLAG_UNSET, a); break;
  case 'g':
    RCCE_flag_read(flag, &value, a);
    note((int)value);
    break;
  case 'u': RCCE_wait_until(flag, a ? RCCE_FLAG_SET : RCCE_FLAG_UNSET); break;
  case 'p': note(RCCE_probe(flag)); break;
  default: note(-99);
  }
}
#else
static int me;

static void shared(char operation, int a, int b) {
  static iRCCE_RECV_REQUEST requests[2];
  static int numbers[2];
  static iRCCE_WAIT_LIST list;
  iRCCE_RECV_REQUEST *first;
  int number = 10 * me + b, from = -1, found = -1;
  switch (operation) {
  case 'S': iRCCE_send((char *)&number, sizeof number, a); break;
  case 'R':
    iRCCE_recv((char *)&number, sizeof number, iRCCE_ANY_SOURCE);
    note(number);
    break;
  case 'P':
    iRCCE_probe(iRCCE_ANY_SOURCE, &from);
    note(from);
    break;
  case 'I':
    iRCCE_iprobe(iRCCE_ANY_SOURCE, &from, &found);
    note(found ? from : -1);
    break;
  case 'T':
    iRCCE_irecv((char *)numbers, sizeof number, iRCCE_ANY_SOURCE, requests);
    iRCCE_irecv_test(requests, &found);
    note(found);
    iRCCE_irecv_wait(requests);
    note(numbers[0]);
    break;
  case 'A': /* one from each of two */
    iRCCE_init_wait_list(&list);
    iRCCE_irecv((char *)&numbers[0], sizeof number, 1, &requests[0]);
    iRCCE_irecv((char *)&numbers[1], sizeof number, 2, &requests[1]);
    iRCCE_add_to_wait_list(&list, NULL, &requests[0]);
    iRCCE_add_to_wait_list(&list, NULL, &requests[1]);
    iRCCE_wait_any(&list, NULL, &first);
    note(first == requests);
    iRCCE_wait_all(&list);
    break;
  default: note(-99);
  }
}
#endif

int RCCE_APP(int argc, char **argv) {
  const char *at;
  int rank;
  RCCE_init(&argc, &argv);
  rank = RCCE_ue();
#ifdef GORY
  RCCE_flag_alloc(&flag);
#else
  me = rank;
  iRCCE_init();
#endif
  word = (volatile int *)RCCE_shmalloc(64);
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (at = argv[rank + 1]; *at; at += 3)
    if (!plain(at[0], at[1] - '0', at[2] - '0')) shared(at[0], at[1] - '0', at[2] - '0');
  printf("%d:%s\n", rank, seen);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (rank == 0) printf("%d %d %d\n", word[0], word[1], word[2]);
  RCCE_finalize();
  return 0;
}
