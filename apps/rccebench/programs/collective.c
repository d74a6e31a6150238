/* SPDX-License-Identifier: Apache-2.0 */
/* A collective operation of the algorithms library, timed from one simulated instant on every UE: the program behind
 * rccebench's bcast, barrier, compare, tune, scaling and thesis, which hands it a lab_job_point and finds the times there
 * (algorithms/lab/job_point.h). Started by hand, it takes the point as words and prints the times:
 *
 *   rccerun -nue N collective operation=bcast algorithm=bcast/cube bytes=8192 [root=0] [warm_up=0] [repetitions=1] [reads=1]
 *           [type=double] [op=sum] [NAME=VALUE ...]
 *   rccerun -nue 1 collective                     operations and algorithms as JSON
 *
 * Other names are the algorithm's own options, as in algorithms/collectives.h. reads=1: before each repetition every UE reads
 * its buffer, as a benchmark that checks it after the one before does, so that its lines are in its caches as far as they fit;
 * 0: it does not, and lines that were never read stay out of them, for a write does not allocate.
 *
 * Release: after a barrier, rank 0 announces an instant far enough ahead that every UE knows it before it comes, and each
 * sleeps until then. Every UE prints, per repetition,
 *   RANK REPETITION PICOSECONDS WRONG FIRST
 * which are the members `done`, `wrong` and `first` of a lab_time. Warm-up repetitions have negative numbers.
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
#include "job_point.h"
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
  int operation; /* a rockcreek_operation */
  const char *name, *options;
  size_t bytes;
  int root;
  unsigned char *buffer, *operand;
  int type, op;
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

static int choose(const lab_job_point *point) {
  for (int i = 0; i < point->choice_count; ++i) {
    lab_choice *const to = &point->choices[i];
    rockcreek_choice choice;
    if (rockcreek_choose(point->operation, (size_t)to->bytes, point->root, &choice) != RCCE_SUCCESS)
      return 1;
    if (RCCE_ue() != 0 || !choice.algorithm)
      continue;
    snprintf(to->algorithm, sizeof to->algorithm, "%s", choice.algorithm);
    snprintf(to->options, sizeof to->options, "%s", choice.options ? choice.options : "");
  }
  return 0;
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

/* Where the results of a repetition go: to who has handed the point over, else to standard output. */
static void report(const lab_job_point *point, int repetition, lab_time time) {
  const int me = RCCE_ue(), before = point->warm_up + !rockcreek_operations[call.operation].has_message;
  time.written = 1;
  if (point->times)
    point->times[(size_t)(repetition + before) * (size_t)RCCE_num_ues() + (size_t)me] = time;
  else
    printf("%s%d %d %lld %lld %lld\n", line_key(), me, repetition, (long long)time.done, (long long)time.wrong,
           (long long)time.first);
}

static int time_operation(const lab_job_point *point) {
  const struct oracle *oracle = &oracles[call.operation];
  const int staggers = !rockcreek_operations[call.operation].has_message;
  const int me = RCCE_ue(), ues = RCCE_num_ues();
  if (rockcreek_prepare(call.name, call.options) != RCCE_SUCCESS)
    return 1;
  for (int repetition = -point->warm_up - staggers; repetition < point->repetitions; ++repetition) {
    oracle->before(repetition);
    if (point->reads)
      rcce_touch(call.buffer, call.bytes, 0);
    if (point->reads && call.operand)
      rcce_touch(call.operand, call.bytes, 0);
    const long long late = point->arrivals && repetition >= 0 ? 1000LL * point->arrivals[(size_t)repetition * (size_t)ues + (size_t)me] : 0;
    const long long start = released();
    const int staggered = staggers && repetition < -point->warm_up;
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
      fault.wrong = LAB_TOO_LATE;
    if (result != RCCE_SUCCESS)
      fault.wrong = LAB_CALL_FAILED;
    const lab_time time = {late, end - start, fault.wrong, fault.first, fault.of_operand, 1};
    report(point, repetition, time);
  }
  return 0;
}

/* The point of a command line; the words that say nothing of it are the algorithm's options, joined. */
static const lab_job_point *point_of(char **word, char **end) {
  static lab_job_point point = {"", "", "", "double", "sum", 0, 0, 0, 1, 1, NULL, NULL, NULL, 0};
  static char options[1024];
  const struct {
    const char *name, **text;
    int32_t *number;
  } known[] = {{"operation=", &point.operation, NULL}, {"algorithm=", &point.algorithm, NULL}, {"type=", &point.type, NULL},
               {"op=", &point.op, NULL}, {"root=", NULL, &point.root}, {"warm_up=", NULL, &point.warm_up},
               {"repetitions=", NULL, &point.repetitions}, {"reads=", NULL, &point.reads}};
  size_t length = 0;
  for (; word < end; ++word) {
    size_t i = 0;
    for (; i < sizeof known / sizeof known[0]; ++i) {
      const size_t name = strlen(known[i].name);
      if (strncmp(*word, known[i].name, name) != 0)
        continue;
      if (known[i].text)
        *known[i].text = *word + name;
      else
        *known[i].number = atoi(*word + name);
      break;
    }
    if (i < sizeof known / sizeof known[0])
      continue;
    if (strncmp(*word, "bytes=", 6) == 0)
      point.bytes = atoll(*word + 6);
    else if (length + strlen(*word) + 2 < sizeof options)
      length += (size_t)sprintf(options + length, "%s%s", length ? " " : "", *word);
  }
  point.options = options;
  return &point;
}

int RCCE_APP(int argc, char **argv) {
  static const char *const types[] = {"int", "long", "float", "double", NULL};
  static const char *const ops[] = {"sum", "min", "max", "prod", NULL};
  const lab_job_point *point = lab_given();
  RCCE_init(&argc, &argv);
  iRCCE_init();
  if (!point && argc == 1) {
    if (RCCE_ue() == 0)
      rockcreek_describe(stdout);
    RCCE_finalize();
    return 0;
  }
  if (!point)
    point = point_of(argv + 1, argv + argc);
  if (point->choices) {
    const int status = choose(point);
    RCCE_finalize();
    return status;
  }
  call.operation = operation_named(point->operation);
  if (call.operation < 0) {
    if (RCCE_ue() == 0)
      printf("usage: rccerun -nue N collective operation=NAME algorithm=NAME bytes=N [NAME=VALUE ...]\n");
    return 2;
  }
  call.name = point->algorithm;
  call.bytes = (size_t)point->bytes;
  call.root = point->root;
  call.type = RCCE_INT + position(point->type, types);
  call.op = RCCE_SUM + position(point->op, ops);
  call.options = point->options;
  void *memory = NULL, *operand_memory = NULL;
  call.buffer = vector(&memory);
  if (rockcreek_operations[call.operation].combines)
    call.operand = vector(&operand_memory);
  fill_source(call.bytes);
  const int status = time_operation(point);
  if (status != 0)
    return status;
  free(memory);
  free(operand_memory);
  RCCE_finalize();
  return 0;
}
