/* One UE leaves by exit() from a nested function; its handlers run, the others go on among themselves. argv:
 * RANK STATUS. */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

static int me = -1;
static void first_handler(void) {
  printf("rank %d: handler registered first\n", me);
}
static void second_handler(void) {
  printf("rank %d: handler registered second\n", me);
}
static void leave(int status) {
  exit(status);
}

static int others(int rank, void* aux) {
  return rank == *(int*)aux;
}

int RCCE_APP(int argc, char** argv) {
  RCCE_COMM rest;
  int leaver, status, in, out;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  leaver = atoi(argv[1]);
  status = atoi(argv[2]);
  RCCE_comm_split(others, &leaver, &rest);
  if (me == leaver) {
    atexit(first_handler);
    atexit(second_handler);
    printf("rank %d: no newline, still written", me);
    leave(status);
  }
  in = me;
  RCCE_allreduce((char*)&in, (char*)&out, 1, RCCE_INT, RCCE_SUM, rest);
  if (rest.my_rank == 0) printf("the others have %d\n", out);
  return 0;
}
