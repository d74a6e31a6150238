/* RCCE's own collective operations, as an unedited program calls them: what does each return and leave,
   whoever does it? */
#include <stdio.h>
#include <string.h>

#include "RCCE.h"

enum { bytes = 8192, elements = 1000, rounds = 3 };

static char message[bytes + 1];
static double source[elements], target[elements];

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  const int me = RCCE_ue(), ues = RCCE_num_ues();
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    const int root = round * 7 % ues;
    /* more sizes than `auto` remembers, each from two roots */
    for (int size = 1; size <= bytes; size = size * 2 + 1)
      for (int again = 0; again < 2; ++again) {
        const int from = (root + again) % ues;
        memset(message, me == from ? 'a' + round + again : 0, sizeof message);
        wrong += RCCE_bcast(message, (size_t)size, from, RCCE_COMM_WORLD) != RCCE_SUCCESS;
        for (int i = 0; i < size; ++i)
          wrong += message[i] != 'a' + round + again;
        wrong += message[size] != (me == from ? 'a' + round + again : 0);
      }
    for (int i = 0; i < elements; ++i)
      source[i] = me + i;
    memset(target, 0, sizeof target);
    wrong += RCCE_reduce((char *)source, (char *)target, elements, RCCE_DOUBLE, RCCE_SUM, root,
                         RCCE_COMM_WORLD) != RCCE_SUCCESS;
    for (int i = 0; i < elements && me == root; ++i)
      wrong += target[i] != ues * (ues - 1) / 2 + (double)ues * i;
    for (int i = 0; i < elements; ++i)
      source[i] = me + i;
    wrong += RCCE_allreduce((char *)source, (char *)target, elements, RCCE_DOUBLE, RCCE_MAX,
                            RCCE_COMM_WORLD) != RCCE_SUCCESS;
    for (int i = 0; i < elements; ++i)
      wrong += target[i] != ues - 1 + i;
    RCCE_barrier(&RCCE_COMM_WORLD);
  }
  wrong += RCCE_bcast(message, 1, ues, RCCE_COMM_WORLD) == RCCE_SUCCESS;
  wrong += RCCE_reduce((char *)source, (char *)target, 1, 0, RCCE_SUM, 0, RCCE_COMM_WORLD) == RCCE_SUCCESS;
  printf("rank %d %s\n", me, wrong ? "FAILED" : "ok");
  RCCE_finalize();
  return 0;
}
