/* A collective whose program has left a few lines of the message-passing buffers to messages: the data are
 * right, or the call is refused on all ranks with a reason. Arguments: the algorithm, lines that are left. */
#include <stdlib.h>

#include "iRCCE.h"
#include "RCCE.h"
#include "RCCE_lib.h"

#include "algorithms/collectives.h"
#include "algorithms/operation.h"
#include "ue_check.h"

enum { most = 100 * 48, root = 1 };
static int source[most], target[most];

static int is(const char* algorithm, const char* operation) {
  const size_t length = strlen(operation);
  return strncmp(algorithm, operation, length) == 0 && algorithm[length] == '/';
}

/* Element i of what `rank` has. */
static int value(int rank, int i) {
  return 1000 * rank + i;
}

static int sum(int ranks, int i) {
  int rank, all = 0;
  for (rank = 0; rank < ranks; ++rank) all += value(rank, i);
  return all;
}

static void set(int rank, int first, int count) {
  int i;
  for (i = 0; i < count; ++i) source[i] = value(rank, first + i);
}

/* `block` elements for each rank. */
static int call(const char* algorithm, int block) {
  const int me = RCCE_ue(), n = RCCE_num_ues(), count = n * block, bytes = count * (int)sizeof(int);
  const int type = RCCE_INT, op = RCCE_SUM;
  const char* const what = algorithm;
  int i, error;
  memset(target, POISON, sizeof target);
  if (is(what, "barrier")) return rockcreek_barrier(algorithm, NULL);
  if (is(what, "bcast")) {
    for (i = 0; me == root && i < count; ++i) target[i] = value(root, i);
    if ((error = rockcreek_bcast(algorithm, (char*)target, (size_t)bytes, root, NULL)) != RCCE_SUCCESS)
      return error;
    for (i = 0; i < count; ++i) CHECK_INT(target[i], value(root, i));
  } else if (is(what, "scatter")) {
    set(root, 0, count);
    if ((error = rockcreek_scatter(algorithm, source, target, (size_t)bytes, root, NULL)) != RCCE_SUCCESS)
      return error;
    for (i = 0; i < block; ++i) CHECK_INT(target[i], value(root, me * block + i));
  } else if (is(what, "gather") || is(what, "allgather")) {
    set(root, me * block, block);
    error = is(what, "gather") ? rockcreek_gather(algorithm, source, target, (size_t)bytes, root, NULL)
                               : rockcreek_allgather(algorithm, source, target, (size_t)bytes, NULL);
    if (error != RCCE_SUCCESS) return error;
    for (i = 0; (me == root || is(what, "allgather")) && i < count; ++i) CHECK_INT(target[i], value(root, i));
  } else if (is(what, "alltoall")) {
    set(me, 0, count);
    if ((error = rockcreek_alltoall(algorithm, source, target, (size_t)bytes, NULL)) != RCCE_SUCCESS)
      return error;
    for (i = 0; i < count; ++i) CHECK_INT(target[i], value(i / block, me * block + i % block));
  } else if (is(what, "scan")) {
    set(me, 0, count);
    if ((error = rockcreek_scan(algorithm, source, target, (size_t)count, type, op, NULL)) != RCCE_SUCCESS)
      return error;
    for (i = 0; i < count; ++i) CHECK_INT(target[i], sum(me + 1, i));
  } else if (is(what, "reduce_scatter")) {
    set(me, 0, count);
    error = rockcreek_reduce_scatter(algorithm, source, target, (size_t)count, type, op, NULL);
    if (error != RCCE_SUCCESS) return error;
    for (i = 0; i < block; ++i) CHECK_INT(target[i], sum(n, me * block + i));
  } else {
    set(me, 0, count);
    error = is(what, "reduce")
        ? rockcreek_reduce(algorithm, source, target, (size_t)count, type, op, root, NULL)
        : rockcreek_allreduce(algorithm, source, target, (size_t)count, type, op, NULL);
    if (error != RCCE_SUCCESS) return error;
    for (i = 0; (me == root || is(what, "allreduce")) && i < count; ++i) CHECK_INT(target[i], sum(n, i));
  }
  return RCCE_SUCCESS;
}

int RCCE_APP(int argc, char** argv) {
  static const int blocks[] = {1, 9, 100};
  size_t left;
  unsigned i;
  RCCE_init(&argc, &argv);
  left = (size_t)atoi(argv[2]) * RCCE_LINE_SIZE;
  iRCCE_init();
  CHECK_INT(rockcreek_prepare(argv[1], NULL), RCCE_SUCCESS);
  if (RCCE_chunk > left)
    CHECK(iRCCE_malloc(RCCE_chunk - left) != NULL, "%lu bytes", (unsigned long)RCCE_chunk);
  for (i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
    const int error = call(argv[1], blocks[i]);
    if (RCCE_ue() == 0) printf("%d elements: %s\n", blocks[i], error == RCCE_SUCCESS ? "done" : "refused");
  }
  RCCE_finalize();
  return check_end();
}
