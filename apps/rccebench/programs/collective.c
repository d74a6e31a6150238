/* SPDX-License-Identifier: Apache-2.0 */
/* A collective operation of the algorithms library, timed from one simulated instant on every UE: the program behind
 * rccebench's bcast, barrier, compare, tune, scaling and thesis.
 *
 *   rccerun -nue N collective OPERATION NAME BYTES ROOT WARMUP REPETITIONS READ TYPE OP ARRIVALS [OPTION=VALUE ...]
 *   rccerun -nue N collective --choose OPERATION ROOT BYTES ...     what "auto" takes: BYTES ALGORITHM [OPTIONS] for each size
 *   rccerun -nue 1 collective --rows                                operations and algorithms as JSON
 *
 * NAME and OPTION as in algorithms/collectives.h. READ 1: before each repetition every UE reads its buffer, as
 * a benchmark that checks it after the one before does, so that its lines are in its caches as far as they fit; 0: it does
 * not, and lines that were never read stay out of them, for a write does not allocate. TYPE (int, long, float, double) and OP
 * (sum, min, max, prod) are those of reductions. ARRIVALS is "-", or a file of 64-bit numbers: nanoseconds that each rank comes
 * later than the release, those of all ranks for repetition 0, then for 1 and so on; warm-up repetitions have none.
 *
 * Release: after a barrier, rank 0 announces an instant far enough ahead that every UE knows it before it comes, and each
 * sleeps until then. Every UE prints, per repetition,
 *   RANK REPETITION PICOSECONDS WRONG FIRST ARRIVED
 * from the release until it has everything, having arrived at ARRIVED, with WRONG the number of bytes that are wrong in its buffer or around it and FIRST
 * the place of the first of them, -1 when it heard of the instant too late, -2 when the operation failed. Warm-up repetitions
 * have negative numbers. The first of an operation without a message is a test: the UEs come one after the other, and WRONG is
 * 1 on each that leaves before the last came.
 *
 * Filling, poisoning and comparing are done from outside the simulation: they take no simulated time and move nothing
 * through the simulated caches. Every repetition sends other bytes. C and C++. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"
#include "iRCCE.h"

#include "algorithms/collectives.h"
#include "algorithms/operation.h"
#include "operands.h"
#include "pattern.h"

enum {
  guard = 64,      /* poisoned bytes before and behind the buffer */
  alignment = 4096 /* of the buffer: the pages it takes do not depend on where the heap begins */
};

/* 48 UEs hear of 8 bytes within 150 us of RCCE_bcast at the lowest tile clock of the presets; five times that, each. */
static const long long picoseconds_ahead_per_ue = 20LL * 1000 * 1000;

/* Between the arrivals of two UEs when a barrier is tested. */
static const long long picoseconds_between = 1000LL * 1000;

/* What one run is about. */
static struct {
  const char *name, *options;
  size_t bytes;
  int root;
  unsigned char *buffer, *operand;
  int type, op;
  FILE *arrivals;
} call;

/* One of these per operation: what a rank has before the call, the call, and what it must have afterwards. */
struct oracle {
  void (*before)(int repetition);
  int (*run)(void);
  struct fault (*after)(int repetition);
};

static void poison_around(unsigned char *buffer) { memset(buffer - guard, poison, call.bytes + 2 * guard); }

static struct fault around(const unsigned char *buffer) {
  struct fault fault = {0, 0, 0};
  unsigned char wanted[guard];
  memset(wanted, poison, guard);
  compare(&fault, buffer - guard, wanted, guard, -guard);
  compare(&fault, buffer + call.bytes, wanted, guard, (long)call.bytes);
  return fault;
}

static void before_bcast(int repetition) {
  poison_around(call.buffer);
  if (RCCE_ue() == call.root)
    fill(call.buffer, call.bytes, repetition);
}

static int run_bcast(void) {
  return rockcreek_bcast(call.name, (char *)call.buffer, call.bytes, call.root, call.options);
}

static struct fault after_bcast(int repetition) {
  struct fault fault = around(call.buffer);
  for (size_t offset = 0; offset < call.bytes; offset += block)
    compare(&fault, call.buffer + offset, expected(offset, repetition),
            call.bytes - offset < block ? call.bytes - offset : block, (long)offset);
  return fault;
}

static void before_barrier(int repetition) { (void)repetition; }
static int run_barrier(void) { return rockcreek_barrier(call.name, call.options); }
static struct fault after_barrier(int repetition) {
  const struct fault none = {0, 0, 0};
  (void)repetition;
  return none;
}

static size_t elements(void) { return call.bytes / element_bytes(call.type); }

static void before_reduction(int repetition) {
  poison_around(call.buffer);
  poison_around(call.operand);
  fill_operand(call.operand, elements(), call.type, call.op, RCCE_ue(), repetition);
}

static int run_reduce(void) {
  return rockcreek_reduce(call.name, call.operand, call.buffer, elements(), call.type, call.op, call.root, call.options);
}
static int run_allreduce(void) {
  return rockcreek_allreduce(call.name, call.operand, call.buffer, elements(), call.type, call.op, call.options);
}

/* The own operand is as it was; the result is there, or nothing has been written. */
static struct fault after_reduction(int repetition, int has_result) {
  struct fault fault = around(call.buffer), operand = around(call.operand);
  unsigned char *wanted = (unsigned char *)malloc(call.bytes + 1);
  memset(wanted, poison, call.bytes);
  if (has_result)
    fill_result(wanted, elements(), call.type, call.op, RCCE_num_ues(), repetition);
  compare(&fault, call.buffer, wanted, call.bytes, 0);
  fill_operand(wanted, elements(), call.type, call.op, RCCE_ue(), repetition);
  compare(&operand, call.operand, wanted, call.bytes, 0);
  free(wanted);
  if (fault.wrong == 0)
    fault.first = operand.first;
  fault.wrong += operand.wrong;
  fault.of_operand = operand.wrong;
  return fault;
}
static struct fault after_reduce(int repetition) { return after_reduction(repetition, RCCE_ue() == call.root); }
static struct fault after_allreduce(int repetition) { return after_reduction(repetition, 1); }

/* In the order of rockcreek_operation. */
static const struct oracle oracles[ROCKCREEK_OPERATIONS] = {
    {before_bcast, run_bcast, after_bcast},
    {before_barrier, run_barrier, after_barrier},
    {before_reduction, run_reduce, after_reduce},
    {before_reduction, run_allreduce, after_allreduce},
};

/* What rank 0 announces, alone in a page: what it takes to broadcast it depends neither on the stack frame of a function nor on
 * what else the program keeps. */
static union {
  long long instant;
  char page[alignment];
} release_word __attribute__((aligned(alignment)));

/* All UEs leave at one instant, which is returned; 0 where it had passed when this UE heard of it. */
static long long released(void) {
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (RCCE_ue() == 0)
    release_word.instant = rcce_picoseconds() + picoseconds_ahead_per_ue * RCCE_num_ues();
  RCCE_bcast((char *)&release_word.instant, sizeof release_word.instant, 0, RCCE_COMM_WORLD);
  const int late = rcce_picoseconds() > release_word.instant;
  rcce_sleep_until(release_word.instant);
  return late ? 0 : release_word.instant;
}

static int operation_named(const char *name) {
  for (int i = 0; i < ROCKCREEK_OPERATIONS; ++i)
    if (strcmp(name, rockcreek_operations[i].name) == 0)
      return i;
  return -1;
}

static int choose(int argc, char **argv) {
  rockcreek_choice choice;
  for (int i = 4; i < argc; ++i) {
    if (rockcreek_choose(argv[2], strtoul(argv[i], NULL, 10), atoi(argv[3]), &choice) != RCCE_SUCCESS)
      return 1;
    if (RCCE_ue() == 0 && choice.algorithm)
      printf("%s %s %s\n", argv[i], choice.algorithm, choice.options);
  }
  RCCE_finalize();
  return 0;
}

/* The words from `first` on, with a blank between two. */
static const char *joined(char **first, char **end) {
  static char text[1024];
  size_t length = 0;
  for (; first < end && length + strlen(*first) + 2 < sizeof text; ++first)
    length += (size_t)sprintf(text + length, "%s%s", length ? " " : "", *first);
  return text;
}

/* When this UE is to arrive, in picoseconds after the release. */
static long long arrival(int repetition) {
  int64_t nanoseconds = 0;
  if (!call.arrivals || repetition < 0)
    return 0;
  const long place = ((long)repetition * RCCE_num_ues() + RCCE_ue()) * (long)sizeof nanoseconds;
  if (fseek(call.arrivals, place, SEEK_SET) != 0 || fread(&nanoseconds, sizeof nanoseconds, 1, call.arrivals) != 1) {
    printf("collective: no arrival of rank %d for repetition %d\n", RCCE_ue(), repetition);
    exit(1);
  }
  return nanoseconds * 1000;
}

static int position(const char *word, const char *const *words) {
  int at = 0;
  while (words[at] && strcmp(word, words[at]) != 0)
    ++at;
  return at;
}

/* A vector of the call's length, poisoned bytes around it, that begins at a page. */
static unsigned char *vector(void **memory) {
  *memory = malloc(call.bytes + 2 * guard + alignment);
  if (*memory)
    return (unsigned char *)(((uintptr_t)*memory + guard + alignment - 1) / alignment * alignment);
  printf("collective: no memory for a buffer of %lu bytes\n", (unsigned long)call.bytes);
  exit(1);
}

static int time_operation(int operation, int warm_up, int repetitions, int reads) {
  const struct oracle *oracle = &oracles[operation];
  const int staggers = !rockcreek_operations[operation].has_message;
  const int me = RCCE_ue(), ues = RCCE_num_ues();
  if (rockcreek_prepare(call.name, call.options) != RCCE_SUCCESS)
    return 1;
  for (int repetition = -warm_up - staggers; repetition < repetitions; ++repetition) {
    oracle->before(repetition);
    if (reads)
      rcce_touch(call.buffer, call.bytes, 0);
    if (reads && call.operand)
      rcce_touch(call.operand, call.bytes, 0);
    const long long late = arrival(repetition);
    const long long start = released();
    const int staggered = staggers && repetition < -warm_up;
    const long long last_arrival = staggered ? start + (ues - 1) * picoseconds_between : start;
    if (staggered) /* neither the first nor the last is rank 0, where there are more than two */
      rcce_sleep_until(start + (me + ues / 3) % ues * picoseconds_between);
    else if (late > 0)
      rcce_sleep_until(start + late);
    const int result = oracle->run();
    const long long end = rcce_picoseconds();
    struct fault fault = oracle->after(repetition);
    if (staggers)
      fault.wrong = end < last_arrival;
    if (start == 0)
      fault.wrong = -1;
    if (result != RCCE_SUCCESS)
      fault.wrong = -2;
    printf("%s%d %d %lld %ld %ld %lld %ld\n", line_key(), me, repetition, end - start, fault.wrong, fault.first, late,
           fault.of_operand);
  }
  return 0;
}

int RCCE_APP(int argc, char **argv) {
  static const char *const types[] = {"int", "long", "float", "double", NULL};
  static const char *const ops[] = {"sum", "min", "max", "prod", NULL};
  RCCE_init(&argc, &argv);
  iRCCE_init();
  if (argc == 2 && strcmp(argv[1], "--rows") == 0) {
    rockcreek_describe(stdout);
    RCCE_finalize();
    return 0;
  }
  if (argc > 4 && strcmp(argv[1], "--choose") == 0)
    return choose(argc, argv);
  const int operation = argc >= 11 ? operation_named(argv[1]) : -1;
  if (operation < 0) {
    if (RCCE_ue() == 0)
      printf("usage: rccerun -nue N collective OPERATION NAME BYTES ROOT WARMUP REPETITIONS READ TYPE OP ARRIVALS "
             "[OPTION=VALUE ...]\n");
    return 2;
  }
  call.name = argv[2];
  call.bytes = strtoul(argv[3], NULL, 10);
  call.root = atoi(argv[4]);
  call.type = RCCE_INT + position(argv[8], types);
  call.op = RCCE_SUM + position(argv[9], ops);
  call.options = joined(argv + 11, argv + argc);
  if (strcmp(argv[10], "-") != 0 && !(call.arrivals = fopen(argv[10], "rb"))) {
    printf("collective: cannot read %s\n", argv[10]);
    return 1;
  }
  void *memory = NULL, *operand_memory = NULL;
  call.buffer = vector(&memory);
  if (rockcreek_operations[operation].combines)
    call.operand = vector(&operand_memory);
  fill_source(call.bytes);
  const int status = time_operation(operation, atoi(argv[5]), atoi(argv[6]), atoi(argv[7]));
  if (status != 0)
    return status;
  free(memory);
  free(operand_memory);
  RCCE_finalize();
  return 0;
}
