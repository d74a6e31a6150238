/* RCCE_reduce and RCCE_allreduce: every type, operator and kind of root; the exact order of the operations;
 * what happens to the buffers; NaN; error codes and their order. */
#include <math.h>

#include "RCCE.h"

#include "ue_check.h"

enum { most = 5000 };
static const int roots_of(int which, int size) {
  return which == 0 ? 0 : which == 1 ? size / 2 : size - 1;
}

/* One value per rank and place; small enough for products over 48 ranks, and inexact in float and double. */
static double value_of(int rank, int i) {
  return 0.7 + ((rank * 7 + i * 3) % 11) * 0.0613;
}
static long integer_of(int rank, int i) {
  return 1 + (rank * 7 + i * 3) % 3;
}

#define COMBINE(x, y, op)                            \
  ((op) == RCCE_SUM        ? (x) + (y)               \
       : (op) == RCCE_PROD ? (x) * (y)               \
       : (op) == RCCE_MIN  ? ((x) < (y) ? (x) : (y)) \
                           : ((x) > (y) ? (x) : (y)))

/* The root's own value first, then the others in ascending rank; stored in the element type after every step.
 */
#define REDUCE_TEST(name, type, code, value)                                                                 \
  static void name(RCCE_COMM comm, int op, int root, int all, int num) {                                     \
    static type in[most], out[most + 2];                                                                     \
    int i, r, me = comm.my_rank, size = comm.size, holder = all || me == root;                               \
    for (i = 0; i < num; ++i) in[i] = (type)value(me, i);                                                    \
    memset(out, POISON, sizeof out);                                                                         \
    if (all)                                                                                                 \
      CHECK_INT(RCCE_allreduce((char*)in, (char*)(out + 1), num, code, op, comm), 0);                        \
    else                                                                                                     \
      CHECK_INT(RCCE_reduce((char*)in, me == root ? (char*)(out + 1) : NULL, num, code, op, root, comm), 0); \
    for (i = 0; i < num; ++i) {                                                                              \
      volatile type want = (type)value(root, i);                                                             \
      if (holder) {                                                                                          \
        for (r = 0; r < size; ++r)                                                                           \
          if (r != root) want = (type)COMBINE(want, (type)value(r, i), op);                                  \
        if (out[i + 1] != want) {                                                                            \
          CHECK(0, #type " op %d root %d of %d element %d of %d: %.17g, expected %.17g", op - RCCE_SUM,      \
                root, size, i, num, (double)out[i + 1], (double)want);                                       \
          break;                                                                                             \
        }                                                                                                    \
      }                                                                                                      \
      /* The root receives into its own input; the others keep theirs. */                                    \
      r = me != root || size == 1 ? me : root == size - 1 ? size - 2 : size - 1;                             \
      if (in[i] != (type)value(r, i)) {                                                                      \
        CHECK(0, #type " op %d root %d of %d: input %d of rank %d holds %.17g", op - RCCE_SUM, root, size,   \
              i, me, (double)in[i]);                                                                         \
        break;                                                                                               \
      }                                                                                                      \
    }                                                                                                        \
    if (!holder)                                                                                             \
      CHECK(find_unpoisoned((unsigned char*)out, sizeof out) < 0, #type " root %d of %d", root, size);       \
    CHECK(find_unpoisoned((unsigned char*)out, sizeof(type)) < 0, "bytes before: root %d of %d", root,       \
          size);                                                                                             \
    CHECK(find_unpoisoned((unsigned char*)(out + 1 + num), (most + 1 - num) * sizeof(type)) < 0,             \
          "bytes behind: root %d of %d, %d elements", root, size, num);                                      \
  }

REDUCE_TEST(test_int, int, RCCE_INT, integer_of)
REDUCE_TEST(test_long, long, RCCE_LONG, integer_of)
REDUCE_TEST(test_float, float, RCCE_FLOAT, value_of)
REDUCE_TEST(test_double, double, RCCE_DOUBLE, value_of)

/* Whenever the comparison is false, the incoming value wins. */
static void test_nan(RCCE_COMM comm, int op) {
  double in = comm.my_rank == 0 ? NAN : (double)comm.my_rank, out = -5;
  CHECK_INT(RCCE_reduce((char*)&in, (char*)&out, 1, RCCE_DOUBLE, op, 0, comm), 0);
  if (comm.my_rank == 0) {
    double x = NAN;
    int r;
    for (r = 1; r < comm.size; ++r) x = op == RCCE_MIN ? (x < r ? x : r) : (x > r ? x : r);
    CHECK(comm.size == 1 ? isnan(out) : out == x, "op %d: %g, expected %g", op - RCCE_SUM, out, x);
  }
  in = comm.my_rank == comm.size - 1 ? NAN : 3.0;
  out = -5;
  CHECK_INT(RCCE_allreduce((char*)&in, (char*)&out, 1, RCCE_DOUBLE, op, comm), 0);
  CHECK(isnan(out), "op %d: %g, expected nan of the last member", op - RCCE_SUM, out);
}

static int parity(int rank, void* aux) {
  (void)aux;
  return rank & 1;
}

static void test_errors(RCCE_COMM comm) {
  int in = 1, out = 2;
  char *a = (char*)&in, *b = (char*)&out;
  CHECK_INT(RCCE_reduce(a, b, 1, RCCE_INT, RCCE_SUM, comm.size, comm), RCCE_ERROR_ID);
  CHECK_INT(RCCE_reduce(a, b, 1, RCCE_INT, RCCE_SUM, -1, comm), RCCE_ERROR_ID);
  CHECK_INT(RCCE_reduce(a, b, 1, 0, 0, -1, comm), RCCE_ERROR_ID);
  CHECK_INT(RCCE_reduce(a, b, 1, RCCE_INT, RCCE_PROD + 1, 0, comm), RCCE_ERROR_ILLEGAL_OP);
  CHECK_INT(RCCE_reduce(a, b, 1, RCCE_INT, RCCE_SUM - 1, 0, comm), RCCE_ERROR_ILLEGAL_OP);
  CHECK_INT(RCCE_reduce(a, b, 1, 0, 0, 0, comm), RCCE_ERROR_ILLEGAL_OP);
  CHECK_INT(RCCE_reduce(a, b, 1, RCCE_DOUBLE + 1, RCCE_SUM, 0, comm), RCCE_ERROR_ILLEGAL_TYPE);
  CHECK_INT(RCCE_allreduce(a, b, 1, RCCE_INT, 0, comm), RCCE_ERROR_ILLEGAL_OP);
  CHECK_INT(RCCE_allreduce(a, b, 1, RCCE_INT - 1, RCCE_MAX, comm), RCCE_ERROR_ILLEGAL_TYPE);
  CHECK_INT(RCCE_reduce(a, b, 0, RCCE_INT, RCCE_SUM, 0, comm), 0);
  CHECK_INT(RCCE_allreduce(a, b, 0, RCCE_INT, RCCE_SUM, comm), 0);
  CHECK_INT(in, 1);
  CHECK_INT(out, 2);
}

static void test_all(RCCE_COMM comm) {
  static const int ops[4] = {RCCE_SUM, RCCE_MIN, RCCE_MAX, RCCE_PROD};
  static const int counts[4] = {1, 7, 33, most};
  int o, w, c;
  for (o = 0; o < 4; ++o)
    for (w = 0; w < 4; ++w) {
      int root = w == 3 ? 0 : roots_of(w, comm.size);
      for (c = 0; c < (o == 0 && w != 1 ? 4 : 3); ++c) {
        test_int(comm, ops[o], root, w == 3, counts[c]);
        test_long(comm, ops[o], root, w == 3, counts[c]);
        test_float(comm, ops[o], root, w == 3, counts[c]);
        test_double(comm, ops[o], root, w == 3, counts[c]);
      }
    }
  test_nan(comm, RCCE_MIN);
  test_nan(comm, RCCE_MAX);
  test_errors(comm);
}

int RCCE_APP(int argc, char** argv) {
  RCCE_COMM half;
  RCCE_init(&argc, &argv);
  test_all(RCCE_COMM_WORLD);
  CHECK_INT(RCCE_comm_split(parity, NULL, &half), 0);
  test_all(half);
  return check_finalize();
}
