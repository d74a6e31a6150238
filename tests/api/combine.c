/* rcce_combine, rcce_combine_with, rcce_copy: every type and operator against the same step in C, at every
 * alignment, bytes around them untouched; time as for a reduction's combining; error codes. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "RCCE.h"
#include "ue_check.h"

enum { most = 67, margin = 32, room = most * 8 + 2 * margin };
static const int counts[] = {0, 1, 2, 3, 31, most};
static const int ops[] = {RCCE_SUM, RCCE_MIN, RCCE_MAX, RCCE_PROD};

/* The step itself, in the element type; unsigned sums and products are what wraps round. */
#define STEP(type, wide, op, x, y)                       \
  (op == RCCE_SUM        ? (type)((wide)(x) + (wide)(y)) \
       : op == RCCE_PROD ? (type)((wide)(x) * (wide)(y)) \
       : op == RCCE_MIN  ? ((x) < (y) ? (x) : (y))       \
                         : ((x) > (y) ? (x) : (y)))

#define COMBINE_TEST(name, type, wide, code, first, second)                                                 \
  static void name(int op, int count, int shift) {                                                          \
    unsigned char target[room], source[room];                                                               \
    int i;                                                                                                  \
    memset(target, POISON, sizeof target);                                                                  \
    memset(source, POISON, sizeof source);                                                                  \
    for (i = 0; i < count; ++i) {                                                                           \
      type x = first, y = second;                                                                           \
      memcpy(target + margin + shift + i * sizeof x, &x, sizeof x);                                         \
      memcpy(source + margin + 7 - shift + i * sizeof y, &y, sizeof y);                                     \
    }                                                                                                       \
    CHECK_INT(rcce_combine(op, code, target + margin + shift, source + margin + 7 - shift, count), 0);      \
    for (i = 0; i < count; ++i) {                                                                           \
      type x = first, y = second, got, kept, want = STEP(type, wide, op, x, y);                             \
      memcpy(&got, target + margin + shift + i * sizeof got, sizeof got);                                   \
      memcpy(&kept, source + margin + 7 - shift + i * sizeof kept, sizeof kept);                            \
      CHECK(memcmp(&got, &want, sizeof got) == 0, #type " op %d, %d elements, shift %d, element %d: %.17g", \
            op - RCCE_SUM, count, shift, i, (double)got);                                                   \
      CHECK(memcmp(&kept, &y, sizeof kept) == 0, #type " op %d: source %d has changed", op - RCCE_SUM, i);  \
    }                                                                                                       \
    CHECK(find_unpoisoned(target, margin + shift) < 0, #type " op %d: bytes before", op - RCCE_SUM);        \
    CHECK(find_unpoisoned(target + margin + shift + count * sizeof(type),                                   \
                          room - margin - shift - count * sizeof(type)) < 0,                                \
          #type " op %d: bytes behind %d elements", op - RCCE_SUM, count);                                  \
  }

COMBINE_TEST(test_int, int, unsigned, RCCE_INT, INT_MAX - i * 3, i * 40503 - 7)
COMBINE_TEST(test_long, long, unsigned long, RCCE_LONG, LONG_MIN + i * 5, 3 - i * 2654435761L)
COMBINE_TEST(test_float, float, float, RCCE_FLOAT, (float)(1e7 / (i + 3)), (float)(i * 0.1 - 2))
COMBINE_TEST(test_double, double, double, RCCE_DOUBLE, 1e15 / (i + 3), i * 0.1 - 2)

/* Where the comparison is false, the source's element is taken. */
static void test_nan(void) {
  double target = NAN, source = 1;
  CHECK_INT(rcce_combine(RCCE_MIN, RCCE_DOUBLE, &target, &source, 1), 0);
  CHECK(target == 1, "%g", target);
  source = NAN;
  CHECK_INT(rcce_combine(RCCE_MAX, RCCE_DOUBLE, &target, &source, 1), 0);
  CHECK(isnan(target), "%g", target);
}

static void test_errors(void) {
  int target = 3, source = 4;
  CHECK_INT(rcce_combine(RCCE_SUM - 1, RCCE_INT, &target, &source, 1), RCCE_ERROR_ILLEGAL_OP);
  CHECK_INT(rcce_combine(RCCE_PROD + 1, RCCE_INT, &target, &source, 1), RCCE_ERROR_ILLEGAL_OP);
  CHECK_INT(rcce_combine(0, 0, &target, &source, 1), RCCE_ERROR_ILLEGAL_OP);
  CHECK_INT(rcce_combine(RCCE_SUM, RCCE_INT - 1, &target, &source, 1), RCCE_ERROR_ILLEGAL_TYPE);
  CHECK_INT(rcce_combine(RCCE_SUM, RCCE_DOUBLE + 1, &target, &source, 1), RCCE_ERROR_ILLEGAL_TYPE);
  CHECK_INT(rcce_combine(RCCE_SUM, RCCE_INT, NULL, NULL, 0), 0);
  CHECK_INT(target, 3);
  CHECK_INT(rcce_combine(RCCE_PROD, RCCE_INT, &target, &target, 1), 0);
  CHECK_INT(target, 9);
}

typedef struct {
  int place;
  double value;
} Largest;

static int calls;

static void larger(void* target, const void* source, int count) {
  Largest* a = target;
  const Largest* b = source;
  int i;
  ++calls;
  for (i = 0; i < count; ++i)
    if (b[i].value > a[i].value) a[i] = b[i];
}

static void test_function(void) {
  Largest a[3] = {{1, 1.0}, {1, 5.0}, {1, 2.0}}, b[3] = {{2, 2.0}, {2, 4.0}, {2, 2.0}};
  rcce_combine_with(larger, a, b, 3, sizeof *a);
  CHECK_INT(a[0].place, 2);
  CHECK_INT(a[1].place, 1);
  CHECK_INT(a[2].place, 1);
  rcce_combine_with(larger, NULL, NULL, 0, sizeof *a);
  CHECK_INT(calls, 1);
}

enum { line = 32, near = 4096 }; /* bytes: of both operands together less than the first-level cache */
static char first[near] __attribute__((aligned(32))), second[near] __attribute__((aligned(32))), far[1 << 20];

enum Step { operator_step, function_step, copy_step };

/* The time of so many bytes. */
static long long picoseconds_of(enum Step step, int bytes) {
  long long start = rcce_picoseconds();
  if (step == operator_step) rcce_combine(RCCE_MAX, RCCE_DOUBLE, first, second, bytes / (int)sizeof(double));
  if (step == function_step)
    rcce_combine_with(larger, first, second, bytes / (int)sizeof(Largest), sizeof(Largest));
  if (step == copy_step) rcce_copy(first, second, (unsigned long)bytes);
  return rcce_picoseconds() - start;
}

/* Cycles for what is near; where lines of both are in memory, what these take in addition. */
static void test_time(void) {
  const double cycle = 1e12 / 533e6;
  const double cycles[] = {10.0 * near / sizeof(double), 10.0 * near / sizeof(double) /* 8 bytes each */,
                           20 + near / 4.0};
  int step;
  for (step = operator_step; step <= copy_step; ++step) {
    long long cold, warm, none;
    rcce_touch(far, sizeof far, 0);
    cold = picoseconds_of((enum Step)step, near);
    warm = picoseconds_of((enum Step)step, near);
    none = picoseconds_of((enum Step)step, 0);
    CHECK(fabs((double)(warm - none) - cycles[step] * cycle) < 1e-3 * cycles[step] * cycle + 10,
          "step %d: %lld ps", step, warm - none);
    /* 101 to 110 cycles a line, by the distance of the memory controller. */
    CHECK(cold - warm > 2 * near / line * 100 * cycle && cold - warm < 2 * near / line * 115 * cycle,
          "step %d: %lld ps", step, cold - warm);
  }
}

static void test_copy(void) {
  enum { most = 100 };
  int bytes, shift, i;
  for (bytes = 0; bytes <= most; ++bytes)
    for (shift = 0; shift < 8; ++shift) {
      for (i = 0; i < near; ++i) first[i] = 1, second[i] = (char)(i * 7);
      rcce_copy(first + line + shift, second + 2 * line - shift, (unsigned long)bytes);
      for (i = 0; i < 2 * most; ++i) {
        const int inside = i >= line + shift && i < line + shift + bytes;
        CHECK_INT(first[i], inside ? second[i + line - 2 * shift] : 1);
      }
    }
  rcce_copy(first, first, near);
}

int RCCE_APP(int argc, char** argv) {
  unsigned c, o;
  int shift;
  RCCE_init(&argc, &argv);
  if (argc > 1 && strcmp(argv[1], "negative") == 0) rcce_combine(RCCE_SUM, RCCE_INT, &c, &c, -1);
  if (argc > 1 && strcmp(argv[1], "negative-with") == 0) rcce_combine_with(larger, &c, &c, -1, sizeof c);
  for (c = 0; c < sizeof counts / sizeof *counts; ++c)
    for (o = 0; o < sizeof ops / sizeof *ops; ++o)
      for (shift = 0; shift < 8; ++shift) {
        test_int(ops[o], counts[c], shift);
        test_long(ops[o], counts[c], shift);
        test_float(ops[o], counts[c], shift);
        test_double(ops[o], counts[c], shift);
      }
  test_nan();
  test_errors();
  test_function();
  test_copy();
  test_time();
  RCCE_finalize();
  return check_end();
}
