/* A collective operation of the algorithms library, timed from one simulated instant on every UE: the program behind
 * rccebench's bcast, barrier, compare, tune, scaling and thesis.
 *
 *   rccerun -nue N collective OPERATION NAME BYTES ROOT WARMUP REPETITIONS READ [OPTION=VALUE ...]
 *
 * OPERATION is bcast or barrier, NAME as in algorithms/table.hpp. READ 1: before each repetition every UE reads its buffer, as
 * a benchmark that checks it after the one before does, so that its lines are in its caches as far as they fit; 0: it does
 * not, and lines that were never read stay out of them, for a write does not allocate. Options are the members of rockcreek_options
 * (part_bytes=4096 line_order=folded ...).
 *
 * Release: after a barrier, rank 0 announces an instant far enough ahead that every UE knows it before it comes, and each
 * sleeps until then. Every UE prints, per repetition,
 *   RANK REPETITION PICOSECONDS WRONG
 * from the release until it has everything, with WRONG the number of bytes that are wrong in its buffer or around it,
 * -1 when it heard of the instant too late, -2 when the operation failed. Warm-up repetitions have negative numbers. The
 * first of a barrier is a test: the UEs come one after the other, and WRONG is 1 on each that leaves before the last came.
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

static long wrong_in(const unsigned char *buffer, const unsigned char *wanted, size_t bytes) {
  long wrong = 0;
  if (memcmp(buffer, wanted, bytes) == 0)
    return 0;
  for (size_t i = 0; i < bytes; ++i)
    wrong += buffer[i] != wanted[i];
  return wrong;
}

static long wrong_bytes(const unsigned char *buffer, size_t bytes, int repetition) {
  unsigned char around[guard];
  memset(around, poison, guard);
  long wrong = wrong_in(buffer - guard, around, guard) + wrong_in(buffer + bytes, around, guard);
  for (size_t offset = 0; offset < bytes; offset += block)
    wrong += wrong_in(buffer + offset, expected(offset, repetition), bytes - offset < block ? bytes - offset : block);
  return wrong;
}

static int set_option(rockcreek_options *options, const char *word) {
  const char *value = strchr(word, '=');
  if (!value)
    return 0;
  const size_t length = (size_t)(value++ - word);
  const struct {
    const char *name;
    size_t *size;
    int *whole;
    double *number;
  } members[] = {
      {"part_bytes", &options->part_bytes, NULL, NULL}, {"pipe_bytes", &options->pipe_bytes, NULL, NULL},
      {"fan_out", NULL, &options->fan_out, NULL},       {"rows", NULL, &options->rows, NULL},
      {"columns", NULL, &options->columns, NULL},       {"mesh_mhz", NULL, NULL, &options->mesh_mhz},
      {"dram_mhz", NULL, NULL, &options->dram_mhz},
  };
  if (strlen("line_order") == length && strncmp(word, "line_order", length) == 0) {
    options->line_order = value;
    return 1;
  }
  /* Not a member of the list, whose length moves the stack frame and with it the lines that released() touches. */
  if (strlen("stages") == length && strncmp(word, "stages", length) == 0) {
    options->stages = atoi(value);
    return 1;
  }
  for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
    if (strlen(members[i].name) != length || strncmp(word, members[i].name, length) != 0)
      continue;
    if (members[i].size)
      *members[i].size = strtoul(value, NULL, 10);
    else if (members[i].whole)
      *members[i].whole = atoi(value);
    else
      *members[i].number = strtod(value, NULL);
    return 1;
  }
  return 0;
}

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

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  iRCCE_init();
  rockcreek_options options;
  memset(&options, 0, sizeof options);
  int usable = argc >= 8;
  for (int i = 8; i < argc; ++i)
    usable = usable && set_option(&options, argv[i]);
  if (!usable) {
    if (RCCE_ue() == 0)
      printf("usage: rccerun -nue N collective bcast|barrier NAME BYTES ROOT WARMUP REPETITIONS READ [OPTION=VALUE ...]\n");
    return 2;
  }
  const int barrier = strcmp(argv[1], "barrier") == 0;
  const char *name = argv[2];
  const size_t bytes = strtoul(argv[3], NULL, 10);
  const int root = atoi(argv[4]), warm_up = atoi(argv[5]), repetitions = atoi(argv[6]), reads = atoi(argv[7]);
  const int me = RCCE_ue();

  unsigned char *memory = (unsigned char *)malloc(bytes + 2 * guard + alignment);
  if (!memory) {
    printf("collective: no memory for a buffer of %lu bytes\n", (unsigned long)bytes);
    return 1;
  }
  unsigned char *buffer =
      (unsigned char *)(((uintptr_t)memory + guard + alignment - 1) / alignment * alignment);
  fill_source(bytes);
  if (rockcreek_prepare(name, &options) != RCCE_SUCCESS)
    return 1;

  for (int repetition = -warm_up - barrier; repetition < repetitions; ++repetition) {
    memset(buffer - guard, poison, bytes + 2 * guard);
    if (me == root)
      fill(buffer, bytes, repetition);
    if (reads)
      rcce_touch(buffer, bytes, 0);
    const long long start = released();
    const int staggered = barrier && repetition < -warm_up;
    const long long last_arrival = staggered ? start + (RCCE_num_ues() - 1) * picoseconds_between : start;
    if (staggered) /* neither the first nor the last is rank 0, where there are more than two */
      rcce_sleep_until(start + (me + RCCE_num_ues() / 3) % RCCE_num_ues() * picoseconds_between);
    const int result = barrier ? rockcreek_barrier(name, &options)
                               : rockcreek_bcast(name, (char *)buffer, bytes, root, &options);
    const long long end = rcce_picoseconds();
    long wrong = barrier ? end < last_arrival : wrong_bytes(buffer, bytes, repetition);
    if (start == 0)
      wrong = -1;
    if (result != RCCE_SUCCESS)
      wrong = -2;
    printf("%d %d %lld %ld\n", me, repetition, end - start, wrong);
  }
  free(memory);
  RCCE_finalize();
  return 0;
}
