/* A collective operation of the algorithms library, timed from one simulated instant on every UE: the program behind
 * rccebench's bcast, barrier, compare, tune, scaling and thesis.
 *
 *   rccerun -nue N collective OPERATION NAME BYTES ROOT WARMUP REPETITIONS READ [OPTION=VALUE ...]
 *   rccerun -nue N collective --choose OPERATION ROOT BYTES ...     what "auto" takes: BYTES ALGORITHM [OPTIONS] for each size
 *   rccerun -nue 1 collective --rows                                operations and algorithms as JSON
 *
 * NAME and OPTION as in algorithms/collectives.h. READ 1: before each repetition every UE reads its buffer, as
 * a benchmark that checks it after the one before does, so that its lines are in its caches as far as they fit; 0: it does
 * not, and lines that were never read stay out of them, for a write does not allocate.
 *
 * Release: after a barrier, rank 0 announces an instant far enough ahead that every UE knows it before it comes, and each
 * sleeps until then. Every UE prints, per repetition,
 *   RANK REPETITION PICOSECONDS WRONG FIRST
 * from the release until it has everything, with WRONG the number of bytes that are wrong in its buffer or around it and FIRST
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

enum {
  guard = 64,        /* poisoned bytes before and behind the buffer */
  alignment = 4096,  /* of the buffer: the pages it takes do not depend on where the heap begins */
  block = 32768,     /* bytes that are compared at once */
  poison = 0xA5      /* never sent */
};

/* 48 UEs hear of 8 bytes within 150 us of RCCE_bcast at the lowest tile clock of the presets; five times that, each. */
static const long long picoseconds_ahead_per_ue = 20LL * 1000 * 1000;

/* Between the arrivals of two UEs when a barrier is tested. */
static const long long picoseconds_between = 1000LL * 1000;

static unsigned char source[2 * block];
static size_t span = block; /* of the source: as many places to begin at, and as many bytes from there */

static void fill_source(size_t bytes) {
  uint32_t state = 1;
  if (bytes < block)
    span = bytes + 1;
  for (size_t i = 0; i < 2 * span; ++i) {
    do {
      state = state * 1664525u + 1013904223u;
      source[i] = (unsigned char)(state >> 24);
    } while (source[i] == poison);
  }
}

/* What the bytes from `offset` (a multiple of the block) on have to be. */
static const unsigned char *expected(size_t offset, int repetition) {
  const uint32_t place = (uint32_t)(offset / block) * 2654435761u + (uint32_t)(repetition + 64) * 40503u;
  return source + (place >> 8) % span;
}

static void fill(unsigned char *buffer, size_t bytes, int repetition) {
  for (size_t offset = 0; offset < bytes; offset += block)
    memcpy(buffer + offset, expected(offset, repetition), bytes - offset < block ? bytes - offset : block);
}

/* Wrong bytes, and where the first of them is, counted from the start of the message. */
struct fault {
  long wrong, first;
};

static void compare(struct fault *fault, const unsigned char *buffer, const unsigned char *wanted, size_t bytes, long offset) {
  if (memcmp(buffer, wanted, bytes) == 0)
    return;
  for (size_t i = 0; i < bytes; ++i)
    if (buffer[i] != wanted[i] && fault->wrong++ == 0)
      fault->first = offset + (long)i;
}

/* What one run is about. */
static struct {
  const char *name, *options;
  size_t bytes;
  int root;
  unsigned char *buffer;
} call;

/* One of these per operation: what a rank has before the call, the call, and what it must have afterwards. */
struct oracle {
  void (*before)(int repetition);
  int (*run)(void);
  struct fault (*after)(int repetition);
};

static void poison_buffer(void) {
  memset(call.buffer - guard, poison, call.bytes + 2 * guard);
}

static struct fault around_buffer(void) {
  struct fault fault = {0, 0};
  unsigned char around[guard];
  memset(around, poison, guard);
  compare(&fault, call.buffer - guard, around, guard, -guard);
  compare(&fault, call.buffer + call.bytes, around, guard, (long)call.bytes);
  return fault;
}

static void before_bcast(int repetition) {
  poison_buffer();
  if (RCCE_ue() == call.root)
    fill(call.buffer, call.bytes, repetition);
}

static int run_bcast(void) {
  return rockcreek_bcast(call.name, (char *)call.buffer, call.bytes, call.root, call.options);
}

static struct fault after_bcast(int repetition) {
  struct fault fault = around_buffer();
  for (size_t offset = 0; offset < call.bytes; offset += block)
    compare(&fault, call.buffer + offset, expected(offset, repetition),
            call.bytes - offset < block ? call.bytes - offset : block, (long)offset);
  return fault;
}

static void before_barrier(int repetition) { (void)repetition; }
static int run_barrier(void) { return rockcreek_barrier(call.name, call.options); }
static struct fault after_barrier(int repetition) {
  const struct fault none = {0, 0};
  (void)repetition;
  return none;
}

/* In the order of rockcreek_operation. */
static const struct oracle oracles[ROCKCREEK_OPERATIONS] = {
    {before_bcast, run_bcast, after_bcast},
    {before_barrier, run_barrier, after_barrier},
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
    const long long start = released();
    const int staggered = staggers && repetition < -warm_up;
    const long long last_arrival = staggered ? start + (ues - 1) * picoseconds_between : start;
    if (staggered) /* neither the first nor the last is rank 0, where there are more than two */
      rcce_sleep_until(start + (me + ues / 3) % ues * picoseconds_between);
    const int result = oracle->run();
    const long long end = rcce_picoseconds();
    struct fault fault = oracle->after(repetition);
    if (staggers)
      fault.wrong = end < last_arrival;
    if (start == 0)
      fault.wrong = -1;
    if (result != RCCE_SUCCESS)
      fault.wrong = -2;
    printf("%d %d %lld %ld %ld\n", me, repetition, end - start, fault.wrong, fault.first);
  }
  return 0;
}

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  iRCCE_init();
  if (argc == 2 && strcmp(argv[1], "--rows") == 0) {
    rockcreek_describe(stdout);
    RCCE_finalize();
    return 0;
  }
  if (argc > 4 && strcmp(argv[1], "--choose") == 0)
    return choose(argc, argv);
  const int operation = argc >= 8 ? operation_named(argv[1]) : -1;
  if (operation < 0) {
    if (RCCE_ue() == 0)
      printf("usage: rccerun -nue N collective OPERATION NAME BYTES ROOT WARMUP REPETITIONS READ [OPTION=VALUE ...]\n");
    return 2;
  }
  call.name = argv[2];
  call.bytes = strtoul(argv[3], NULL, 10);
  call.root = atoi(argv[4]);
  call.options = joined(argv + 8, argv + argc);
  unsigned char *memory = (unsigned char *)malloc(call.bytes + 2 * guard + alignment);
  if (!memory) {
    printf("collective: no memory for a buffer of %lu bytes\n", (unsigned long)call.bytes);
    return 1;
  }
  call.buffer = (unsigned char *)(((uintptr_t)memory + guard + alignment - 1) / alignment * alignment);
  fill_source(call.bytes);
  const int status = time_operation(operation, atoi(argv[5]), atoi(argv[6]), atoi(argv[7]));
  if (status != 0)
    return status;
  free(memory);
  RCCE_finalize();
  return 0;
}
