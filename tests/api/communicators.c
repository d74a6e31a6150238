/* RCCE_comm_split, _free, _size, _rank and RCCE_barrier: number of colour calls, membership, error codes,
 * copies by value, re-splitting, communicators in never cleared memory. */
#include "RCCE.h"

#include "ue_check.h"

static int calls[RCCE_MAXNP + 2], call_count;

static int everyone(int rank, void* aux) {
  (void)rank;
  (void)aux;
  return 7;
}

static int column(int rank, void* aux) {
  return rank % *(int*)aux;
}

static int counted_column(int rank, void* aux) {
  if (call_count < RCCE_MAXNP + 2) calls[call_count] = rank;
  ++call_count;
  return column(rank, aux);
}

static int row(int rank, void* aux) {
  return -(rank / *(int*)aux);
}

static int only_me(int rank, void* aux) {
  (void)aux;
  return rank;
}

static void check_members(RCCE_COMM* comm, int (*color)(int, void*), void* aux, const char* what) {
  int rank, n = 0, size = -1, mine = -1;
  for (rank = 0; rank < RCCE_num_ues(); ++rank)
    if (color(rank, aux) == color(RCCE_ue(), aux)) {
      CHECK(n < comm->size && comm->member[n] == rank, "%s: member %d", what, n);
      if (rank == RCCE_ue()) CHECK(comm->my_rank == n, "%s: my_rank %d, expected %d", what, comm->my_rank, n);
      ++n;
    }
  CHECK(comm->size == n, "%s: size %d, expected %d", what, comm->size, n);
  CHECK_INT(RCCE_comm_size(*comm, &size), 0);
  CHECK_INT(RCCE_comm_rank(*comm, &mine), 0);
  CHECK_INT(size, n);
  CHECK_INT(mine, comm->my_rank);
  CHECK_INT(comm->initialized, 45328976);
}

/* Members pass a barrier only together: what each wrote before it, all see after it. */
static void check_barriers(RCCE_COMM* comm, volatile int* board, const char* what) {
  static int round = 0;
  int n, times;
  for (times = 0; times < 3; ++times) {
    ++round;
    board[RCCE_ue()] = round;
    CHECK_INT(RCCE_barrier(comm), 0);
    for (n = 0; n < comm->size; ++n)
      CHECK(board[comm->member[n]] == round, "%s, round %d: rank %d is at %d", what, round, comm->member[n],
            board[comm->member[n]]);
    CHECK_INT(RCCE_barrier(comm), 0);
  }
}

static void split_in_garbage(int width, volatile int* board) {
  RCCE_COMM rows;
  memset(&rows, 0x5a, sizeof rows);
  CHECK_INT(RCCE_comm_split(row, &width, &rows), 0);
  check_members(&rows, row, &width, "row in never cleared memory");
  check_barriers(&rows, board, "row in never cleared memory");
}

int RCCE_APP(int argc, char** argv) {
  RCCE_COMM columns, copy, alone;
  static RCCE_COMM unset; /* zero: properly not set up */
  volatile int* board;
  int width, n, value;

  RCCE_init(&argc, &argv);
  board = (volatile int*)RCCE_shmalloc(RCCE_MAXNP * sizeof(int));
  check_members(&RCCE_COMM_WORLD, everyone, NULL, "world");
  check_barriers(&RCCE_COMM_WORLD, board, "world");

  value = 77;
  CHECK_INT(RCCE_comm_size(unset, &value), RCCE_ERROR_COMM_INITIALIZED);
  CHECK_INT(RCCE_comm_rank(unset, &value), RCCE_ERROR_COMM_INITIALIZED);
  CHECK_INT(value, 77);
  CHECK_INT(RCCE_comm_split(everyone, NULL, NULL), RCCE_ERROR_COMM_UNDEFINED);

  /* The own colour first, then those of all ranks in order. */
  memset(&columns, 0, sizeof columns);
  width = 3;
  CHECK_INT(RCCE_comm_split(counted_column, &width, &columns), 0);
  CHECK_INT(call_count, RCCE_num_ues() + 1);
  CHECK_INT(calls[0], RCCE_ue());
  for (n = 0; n < RCCE_num_ues(); ++n) CHECK_INT(calls[n + 1], n);
  check_members(&columns, column, &width, "columns of 3");
  check_barriers(&columns, board, "columns of 3");

  copy = columns;
  check_barriers(&copy, board, "copy of columns");
  copy = RCCE_COMM_WORLD;
  check_barriers(&copy, board, "copy of world");

  for (n = 0; n < 3; ++n) split_in_garbage(n + 2, board);

  /* Split again with other members, after an odd number of barriers in some of them: nothing may hang. */
  for (width = 2; width < 6; ++width) {
    CHECK_INT(RCCE_comm_split(column, &width, &columns), 0);
    check_members(&columns, column, &width, "split again");
    RCCE_barrier(&columns);
    if (RCCE_ue() % width == 0) RCCE_barrier(&columns);
  }
  width = 1;
  CHECK_INT(RCCE_comm_split(column, &width, &columns), 0);
  check_barriers(&columns, board, "split again into one");

  memset(&alone, 0, sizeof alone);
  CHECK_INT(RCCE_comm_split(only_me, NULL, &alone), 0);
  check_members(&alone, only_me, NULL, "alone");
  check_barriers(&alone, board, "alone");

  return check_finalize();
}
