/* A reduction of the algorithms library: every element of the result, at the root, everywhere, of the own
 * block or of the ranks up to the own one, for all types, operators and roots; operands and what lies beside
 * them untouched. Arguments: the algorithm, a mode, [options].
 *
 * - all: each call by itself; the longest vector of many UEs is shorter unless WHOLE=1 is in the environment
 * - mixed: calls follow each other at once, from changing roots, between UEs that come late by different
 *   amounts, with messages in between; half as many on many UEs, with the same exception
 * - sums: sums of doubles whose bits depend on the order, with the UEs coming in another order each time:
 *   always the same bits; those of an order in the vector file where "sums:ORDER" names it
 * - long_sums: the same of a vector that is longer than the caches */
#include <stdlib.h>

#include "iRCCE.h"
#include "RCCE.h"

#include "algorithms/collectives.h"
#include "late_ues.h"
#include "ue_check.h"

enum { margin = 64, largest = 40000, largest_of_many = 8000, room = largest * 8 + 2 * margin };
static unsigned char source[room], target[room], wanted[room];
static enum { to_root, to_all, to_blocks, to_prefixes } kind;

/* The elements that this rank gets, and the ranks whose operands they are of. */
static unsigned long begin_of_result(unsigned long count, int rank) {
  return count * (unsigned long)rank / (unsigned long)RCCE_num_ues();
}
static int has_result(unsigned long count, unsigned long element, int root) {
  if (kind == to_root) return RCCE_ue() == root;
  if (kind != to_blocks) return 1;
  return element >= begin_of_result(count, RCCE_ue()) && element < begin_of_result(count, RCCE_ue() + 1);
}
static int ranks_of_result(void) {
  return kind == to_prefixes ? RCCE_ue() + 1 : RCCE_num_ues();
}

static unsigned long bytes_of(int type) {
  return type == RCCE_INT || type == RCCE_FLOAT ? 4 : 8;
}

static void store(unsigned char* at, int type, long value) {
  const int i = (int)value;
  const float f = (float)value;
  const double d = (double)value;
  memcpy(at,
         type == RCCE_INT         ? (const void*)&i
             : type == RCCE_LONG  ? (const void*)&value
             : type == RCCE_FLOAT ? (const void*)&f
                                  : (const void*)&d,
         bytes_of(type));
}

/* Small enough that sums of 48 are exact as floats, and products of signs and a few twos. */
static long operand(int op, int rank, unsigned long element) {
  if (op == RCCE_PROD)
    return (mixed((unsigned)element * 64 + (unsigned)rank) % 2 ? -1 : 1) * (rank % 9 == 4 ? 2 : 1);
  return (long)(mixed((unsigned)element * 64 + (unsigned)rank) % 20001) - 10000;
}

static long combined(int op, unsigned long element) {
  long result = operand(op, 0, element);
  int rank;
  for (rank = 1; rank < ranks_of_result(); ++rank) {
    const long other = operand(op, rank, element);
    if (op == RCCE_SUM) result += other;
    if (op == RCCE_PROD) result *= other;
    if (op == RCCE_MIN && other < result) result = other;
    if (op == RCCE_MAX && other > result) result = other;
  }
  return result;
}

static int call(const char* algorithm, unsigned long count, int type, int op, int root, const char* options) {
  if (kind == to_all)
    return rockcreek_allreduce(algorithm, source + margin, target + margin, count, type, op, options);
  if (kind == to_blocks)
    return rockcreek_reduce_scatter(algorithm, source + margin, target + margin, count, type, op, options);
  if (kind == to_prefixes)
    return rockcreek_scan(algorithm, source + margin, target + margin, count, type, op, options);
  return rockcreek_reduce(algorithm, source + margin, target + margin, count, type, op, root, options);
}

static void reduce(const char* algorithm, unsigned long count, int type, int op, int root,
                   const char* options) {
  const unsigned long bytes = bytes_of(type), length = count * bytes + 2 * margin;
  unsigned long i;
  memset(source, POISON, length);
  memset(target, POISON, length);
  for (i = 0; i < count; ++i) store(source + margin + i * bytes, type, operand(op, RCCE_ue(), i));
  CHECK_INT(call(algorithm, count, type, op, root, options), RCCE_SUCCESS);
  memset(wanted, POISON, length);
  for (i = 0; i < count; ++i) store(wanted + margin + i * bytes, type, operand(op, RCCE_ue(), i));
  CHECK(memcmp(source, wanted, length) == 0, "%s: the operand has changed: %lu of type %d, op %d, root %d",
        algorithm, count, type - RCCE_INT, op - RCCE_SUM, root);
  memset(wanted, POISON, length);
  for (i = 0; i < count; ++i)
    if (has_result(count, i, root))
      store(wanted + margin + (i - (kind == to_blocks ? begin_of_result(count, RCCE_ue()) : 0)) * bytes, type,
            combined(op, i));
  for (i = 0; i < length && target[i] == wanted[i]; ++i) continue;
  CHECK(i == length, "%s: byte %ld of the result: %lu of type %d, op %d, root %d", algorithm,
        (long)i - margin, count, type - RCCE_INT, op - RCCE_SUM, root);
}

static void all(const char* algorithm, const char* options) {
  const int ues = RCCE_num_ues();
  const int shorter = ues > 5 && kind != to_blocks && getenv("WHOLE") == NULL; /* blocks are short enough */
  const unsigned long longest = shorter ? largest_of_many : largest;
  const unsigned long counts[] = {0, 1, 3, 1000, longest};
  unsigned c;
  int root;
  for (c = 0; c < sizeof counts / sizeof *counts; ++c)
    for (root = 0; root < (kind != to_root ? 1 : ues); ++root) {
      const int few = counts[c] >= 1000 && ues > 5, whole = counts[c] == longest;
      int type;
      if (few && root != 0 && root != ues / 2 && root != ues - 1) continue;
      if (whole && root != ues / 2 && ues > 1 && kind == to_root) continue;
      for (type = RCCE_INT; type <= RCCE_DOUBLE; ++type)
        if (counts[c] < 1000 || type - RCCE_INT == root % 4)
          reduce(algorithm, counts[c], type, RCCE_SUM + (root + type + (int)c) % 4, root, options);
    }
}

static void one_after_another(const char* algorithm, const char* options) {
  static const unsigned long counts[] = {1, 40, 3, 1500, 2};
  const unsigned rounds = RCCE_num_ues() > 5 && getenv("WHOLE") == NULL ? 20 : 40;
  unsigned round;
  for (round = 0; round < rounds; ++round) {
    be_late(mixed(round * 64 + (unsigned)RCCE_ue()));
    reduce(algorithm, counts[mixed(round) % 5], RCCE_INT + (int)(round % 4),
           RCCE_SUM + (int)(mixed(round + 7) % 4), (int)(mixed(round + 100) % (unsigned)RCCE_num_ues()),
           options);
    if (round % 5 == 3) pass_on();
  }
}

/* The numbers of a row of the vector file, for this number of UEs; how many there are. */
static int read_vector(const char* order, double* values) {
  static char line[4096];
  FILE* file = fopen(VECTORS "/fixed-order-sums.csv", "r");
  int count = 0;
  char* at;
  while (count == 0 && fgets(line, sizeof line, file)) {
    const long ues = strtol(line, &at, 10);
    if (ues != RCCE_num_ues() || strncmp(at + 1, order, strlen(order)) != 0 || at[1 + strlen(order)] != ',')
      continue;
    for (at += strlen(order) + 2; *at && *at != '\n' && *at != '\r'; ++count) values[count] = strtod(at, &at);
  }
  fclose(file);
  return count;
}

static void sums(const char* algorithm, int elements, const char* order, const char* options) {
  enum { rounds = 8 };
  double inputs[64], expected[64];
  int round, i;
  CHECK_INT(read_vector("inputs", inputs), RCCE_num_ues());
  if (*order) CHECK_INT(read_vector(order, expected), 1);
  for (round = 0; round < rounds; ++round) {
    for (i = 0; i < elements; ++i) memcpy(source + margin + i * 8, &inputs[RCCE_ue()], 8);
    be_late(mixed((unsigned)(round * 64 + RCCE_ue())));
    CHECK_INT(call(algorithm, (unsigned long)elements, RCCE_DOUBLE, RCCE_SUM, 0, options), RCCE_SUCCESS);
    if (kind == to_root && RCCE_ue() != 0) continue;
    if (round == 0 && !*order) memcpy(wanted, target + margin, (size_t)elements * 8);
    for (i = 0; i < elements; ++i) {
      if (*order) memcpy(wanted + i * 8, &expected[0], 8);
      CHECK(memcmp(target + margin + i * 8, wanted + i * 8, 8) == 0,
            "%s: element %d in round %d has other bits", algorithm, i, round);
    }
  }
}

int RCCE_APP(int argc, char** argv) {
  const char* options;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  kind = strncmp(argv[1], "allreduce/", 10) == 0     ? to_all
      : strncmp(argv[1], "reduce_scatter/", 15) == 0 ? to_blocks
      : strncmp(argv[1], "scan/", 5) == 0            ? to_prefixes
                                                     : to_root;
  options = argc > 3 ? argv[3] : NULL;
  if (strcmp(argv[2], "mixed") == 0)
    one_after_another(argv[1], options);
  else if (strncmp(argv[2], "sums", 4) == 0)
    sums(argv[1], 5, argv[2][4] ? argv[2] + 5 : "", options);
  else if (strcmp(argv[2], "long_sums") == 0)
    sums(argv[1], largest / 2, "", options);
  else
    all(argv[1], options);
  RCCE_finalize();
  return check_end();
}
