/* SPDX-License-Identifier: Apache-2.0 */
/* A collective operation of the algorithms library, timed from one simulated instant on every UE: the program
 * behind rccebench's bcast, barrier, compare, tune, scaling and thesis, which hands it a lab_job_point and
 * finds the times there (algorithms/lab/job_point.h). Started by hand, it takes the point as words and prints
 * the times:
 *
 *   rccerun -nue N collective operation=bcast algorithm=bcast/cube bytes=8192 [root=0] [warm_up=0]
 *           [repetitions=1] [reads=1] [type=double] [op=sum] [NAME=VALUE ...]
 *   rccerun -nue 1 collective                     operations and algorithms as JSON
 *
 * Other names are the algorithm's own options, as in algorithms/collectives.h. reads=1: before each
 * repetition every UE reads its buffer, as a benchmark that checks it after the one before does, so that its
 * lines are in its caches as far as they fit; 0: it does not, and lines that were never read stay out of
 * them, for a write does not allocate.
 *
 * Release: after a barrier, rank 0 announces an instant far enough ahead that every UE knows it before it
 * comes, and each sleeps until then. Every UE prints, per repetition,
 *   RANK REPETITION PICOSECONDS WRONG FIRST
 * which are the members `done`, `wrong` and `first` of a lab_time. Warm-up repetitions have negative numbers.
 *
 * Filling, poisoning and comparing are done from outside the simulation: they take no simulated time and move
 * nothing through the simulated caches. Every repetition sends other bytes. Before a point is timed, another
 * run of this program makes the calls of a check (algorithms/lab/check.hpp). A run that does not move its
 * payload (rcce::EngineOptions) does none of it, so that the host has no memory to find for the buffers.
 * C and C++. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "RCCE.h"
#include "RCCE_lib.h"
#include "iRCCE.h"

#include "algorithms/algorithm.h"
#include "algorithms/collectives.h"
#include "job_point.h"
#include "operands.h"
#include "pattern.h"

enum {
  guard = 64,      /* poisoned bytes before and behind the buffer */
  alignment = 4096, /* of the buffer: the pages it takes do not depend on where the heap begins */
  aside = 3         /* in every second call of a check: the elements behind it, where the buffer begins */
};

/* 48 UEs hear of 8 bytes within 150 us of RCCE_bcast at the lowest tile clock of the presets; five times
 * that, each. */
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
  int moves_payload;
  int inexact;          /* both as lab_job_point has them */
  unsigned char *first; /* then: the result of the first repetition */
} call;

static const rockcreek_operation_description *facts(void) { return &rockcreek_operations[call.operation]; }
static size_t elements(void) { return call.bytes / element_bytes(call.type); }

/* Where a rank's block begins, in bytes. */
static size_t block_begin(int rank) {
  return facts()->combines
      ? rockcreek_block_begin(elements(), RCCE_num_ues(), rank) * element_bytes(call.type)
      : rockcreek_block_begin(call.bytes, RCCE_num_ues(), rank);
}
static size_t block_bytes(int rank) { return block_begin(rank + 1) - block_begin(rank); }

/* A buffer as segments of vectors, one behind the other: what this rank has in it. */
struct segments {
  int count;
  int vector, next; /* of the first segment; how much more that of the next one is */
  size_t begin, bytes;
};

static struct segments segments_of(rockcreek_share share, int only_root) {
  const int me = RCCE_ue(), own = facts()->target == ROCKCREEK_COLUMN ? me : 0;
  struct segments all = {1, own, 0, 0, call.bytes};
  if (share == ROCKCREEK_NOTHING || (only_root && me != call.root))
    all.bytes = 0;
  if (share == ROCKCREEK_BLOCK || share == ROCKCREEK_COLUMN) {
    all.begin = block_begin(me);
    all.bytes = all.bytes > 0 ? block_bytes(me) : 0;
  }
  if (share == ROCKCREEK_COLUMN) {
    all.count = RCCE_num_ues();
    all.vector = 0;
    all.next = 1;
  }
  return all;
}
static struct segments source_segments(void) {
  return segments_of(facts()->source, facts()->only_root_source);
}
static struct segments target_segments(void) {
  return segments_of(facts()->target, facts()->only_root_target);
}
static size_t bytes_of(const struct segments *all) { return (size_t)all->count * all->bytes; }

/* The most that a rank has in a buffer. */
static size_t room(void) {
  return facts()->target == ROCKCREEK_COLUMN ? (size_t)RCCE_num_ues() * block_bytes(RCCE_num_ues() - 1)
                                             : call.bytes;
}

/* Calls step() for each stretch of the buffer whose bytes stand together in the pattern. */
static void walk(const struct segments *all, unsigned char *buffer, int repetition, struct fault *fault,
                 void (*step)(struct fault *, unsigned char *, const unsigned char *, size_t, long)) {
  size_t at = 0;
  for (int i = 0; i < all->count; ++i)
    for (size_t done = 0, length; done < all->bytes; done += length, at += length) {
      const size_t offset = all->begin + done, within = offset % block;
      length = all->bytes - done < block - within ? all->bytes - done : block - within;
      step(fault, buffer + at, expected_of(all->vector + i * all->next, offset - within, repetition) + within,
           length, (long)at);
    }
}
static void write_step(struct fault *fault, unsigned char *buffer, const unsigned char *pattern, size_t bytes,
                       long at) {
  (void)fault;
  (void)at;
  memcpy(buffer, pattern, bytes);
}
static void compare_step(struct fault *fault, unsigned char *buffer, const unsigned char *pattern,
                         size_t bytes, long at) {
  compare(fault, buffer, pattern, bytes, at);
}

static void poison_around(unsigned char *buffer) { memset(buffer - guard, poison, room() + 2 * guard); }

/* What is written, where nothing may be: in the guards, and from `bytes` on. */
static void compare_around(struct fault *fault, const unsigned char *buffer, size_t bytes) {
  static unsigned char wanted[block];
  memset(wanted, poison, block);
  compare(fault, buffer - guard, wanted, guard, -guard);
  for (size_t end = room() + guard, length; bytes < end; bytes += length) {
    length = end - bytes < block ? end - bytes : block;
    compare(fault, buffer + bytes, wanted, length, (long)bytes);
  }
}

static void before_call(int repetition) {
  const struct segments source = source_segments();
  unsigned char *const place = facts()->in_place ? call.buffer : call.operand;
  if (!facts()->has_message || !call.moves_payload)
    return;
  poison_around(call.buffer);
  if (call.operand)
    poison_around(call.operand);
  if (call.inexact)
    fill_inexact_operand(call.operand, elements(), call.type, RCCE_ue(), call.inexact - 1);
  else if (facts()->combines)
    fill_operand(call.operand, elements(), call.type, call.op, RCCE_ue(), repetition);
  else
    walk(&source, place, repetition, NULL, write_step);
}

/* FNV-1a (Fowler, Noll, Vo) of 64 bits. */
static int64_t digest_of(const unsigned char *at, size_t bytes) {
  uint64_t digest = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; ++i)
    digest = (digest ^ at[i]) * 0x100000001b3u;
  return (int64_t)digest;
}

/* The result is that of the first repetition, bit by bit. */
static struct fault same_as_first(int repetition, size_t bytes) {
  struct fault fault = {0, 0, 0};
  if (repetition == 0)
    memcpy(call.first, call.buffer, bytes);
  else
    compare(&fault, call.buffer, call.first, bytes, 0);
  return fault;
}

/* What this rank has to have is there, its operand is as it was, and nothing else has been written. */
static struct fault after_call(int repetition) {
  const struct segments source = source_segments(), target = target_segments();
  struct fault fault = {0, 0, 0}, operand = {0, 0, 0};
  if (!facts()->has_message || !call.moves_payload)
    return fault;
  if (call.inexact)
    return same_as_first(repetition, bytes_of(&target));
  if (facts()->combines) {
    unsigned char *wanted = (unsigned char *)malloc(call.bytes + 1);
    fill_result(wanted, elements(), call.type, call.op,
                facts()->of_lower_ranks ? RCCE_ue() + 1 : RCCE_num_ues(), repetition);
    compare(&fault, call.buffer, wanted + target.begin, target.bytes, 0);
    fill_operand(wanted, elements(), call.type, call.op, RCCE_ue(), repetition);
    compare(&operand, call.operand, wanted, source.bytes, 0);
    free(wanted);
  } else {
    walk(&target, call.buffer, repetition, &fault, compare_step);
    if (call.operand)
      walk(&source, call.operand, repetition, &operand, compare_step);
  }
  compare_around(&fault, call.buffer, bytes_of(&target));
  if (call.operand)
    compare_around(&operand, call.operand, bytes_of(&source));
  if (fault.wrong == 0)
    fault.first = operand.first;
  fault.wrong += operand.wrong;
  fault.of_operand = operand.wrong;
  return fault;
}

static int run_call(int nulls) {
  const int without = nulls && RCCE_ue() != call.root;
  rockcreek_call arguments;
  memset(&arguments, 0, sizeof arguments);
  arguments.buffer = without && facts()->only_root_target ? NULL : (char *)call.buffer;
  arguments.source = without && facts()->only_root_source ? NULL : (const char *)call.operand;
  arguments.bytes = call.bytes;
  arguments.count = facts()->combines ? elements() : 0;
  arguments.root = call.root;
  arguments.type = call.type;
  arguments.op = call.op;
  return rockcreek_run((rockcreek_operation)call.operation, call.name, &arguments, call.options);
}

/* What rank 0 announces, alone in a page: what it takes to broadcast it depends neither on the stack frame of
 * a function nor on what else the program keeps. */
static union {
  long long instant;
  char page[alignment];
} release_word __attribute__((aligned(alignment)));

static void note_space(const lab_job_point *point) {
  const lab_space space = {(int64_t)RCCE_chunk, lab_flags_taken()};
  if (point->spaces)
    point->spaces[RCCE_ue()] = space;
}

/* All have noted theirs. Flags and buffers that one rank alone has taken lie elsewhere on the others: the
 * program ends before messages and flags meet what is not theirs. */
static void compare_spaces(const lab_job_point *point) {
  for (int rank = 1; point->spaces && rank < RCCE_num_ues(); ++rank) {
    const lab_space *first = &point->spaces[0], *other = &point->spaces[rank];
    if (other->payload == first->payload && other->flags == first->flags)
      continue;
    if (RCCE_ue() == 0)
      fprintf(stderr,
              "%s: rank %d has %ld flags and %ld bytes left for messages, rank 0 has %ld flags and %ld "
              "bytes; every rank must "
              "allocate the same flags and buffers, in the same order\n",
              call.name, rank, (long)other->flags, (long)other->payload, (long)first->flags,
              (long)first->payload);
    exit(LAB_REFUSES);
  }
}

static void meet_with_spaces(const lab_job_point *point) {
  note_space(point);
  RCCE_barrier(&RCCE_COMM_WORLD);
  compare_spaces(point);
}

/* All UEs leave at one instant, which is returned; 0 where it had passed when this UE heard of it. */
static long long released(const lab_job_point *point) {
  meet_with_spaces(point);
  if (RCCE_ue() == 0)
    release_word.instant = rcce_picoseconds() + picoseconds_ahead_per_ue * RCCE_num_ues();
  lab_tell_all(&release_word.instant, sizeof release_word.instant);
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
      return LAB_REFUSES;
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

/* Memory for a buffer, poisoned bytes around it, that begins at a page. */
static unsigned char *vector(void **memory) {
  *memory = malloc(room() + 2 * guard + alignment + aside * sizeof(double));
  if (*memory)
    return (unsigned char *)(((uintptr_t)*memory + guard + alignment - 1) / alignment * alignment);
  printf("collective: no memory for a buffer of %lu bytes\n", (unsigned long)room());
  exit(1);
}

/* Where the results of a repetition go: to who has handed the point over, else to standard output. */
static void report(const lab_job_point *point, int repetition, lab_time time) {
  const int me = RCCE_ue(), before = point->warm_up + !facts()->has_message;
  time.written = 1;
  if (point->times)
    point->times[(size_t)(repetition + before) * (size_t)RCCE_num_ues() + (size_t)me] = time;
  else
    tell_line(repetition, time.done, time.wrong, time.first);
}

static int time_operation(const lab_job_point *point) {
  const int staggers = !facts()->has_message;
  const int me = RCCE_ue(), ues = RCCE_num_ues();
  /* Who gets no result has a buffer for one, as in programs that pass the same arguments everywhere. */
  const struct segments source = source_segments(), target = segments_of(facts()->target, 0);
  if (rockcreek_prepare(call.name, call.options) != RCCE_SUCCESS)
    return LAB_REFUSES;
  for (int repetition = -point->warm_up - staggers; repetition < point->repetitions; ++repetition) {
    before_call(repetition);
    if (point->reads)
      rcce_touch(call.buffer, bytes_of(&target), 0);
    if (point->reads && call.operand)
      rcce_touch(call.operand, bytes_of(&source), 0);
    const long long late = point->arrivals && repetition >= 0
        ? 1000LL * point->arrivals[(size_t)repetition * (size_t)ues + (size_t)me]
        : 0;
    const long long start = released(point);
    const int staggered = staggers && repetition < -point->warm_up;
    const long long last_arrival = staggered ? start + (ues - 1) * picoseconds_between : start;
    if (staggered) /* neither the first nor the last is rank 0, where there are more than two */
      rcce_sleep_until(start + (me + ues / 3) % ues * picoseconds_between);
    else if (late > 0)
      rcce_sleep_until(start + late);
    const int result = run_call(0);
    const long long end = rcce_picoseconds();
    struct fault fault = after_call(repetition);
    if (staggers)
      fault.wrong = end < last_arrival;
    if (start == 0)
      fault.wrong = LAB_TOO_LATE;
    if (result != RCCE_SUCCESS)
      fault.wrong = LAB_CALL_FAILED;
    const int64_t digest = call.inexact ? digest_of(call.buffer, call.bytes) : 0;
    const lab_time time = {late, end - start, fault.wrong, fault.first, fault.of_operand, digest, 1};
    report(point, repetition, time);
  }
  if (point->spaces)
    meet_with_spaces(point);
  return 0;
}

/* How many bytes a size of the check is: whole elements. */
static size_t check_bytes(int64_t size) {
  const size_t unit = facts()->combines ? element_bytes(call.type) : 1;
  if (size >= 0)
    return ((size_t)size + unit - 1) / unit * unit;
  return RCCE_chunk / unit * unit + (size == LAB_OVER_ONE_BUFFER ? unit : 0);
}

static lab_check_time *check_time(const lab_job_point *point, int number, int rank) {
  return &point->checked[(size_t)number * (size_t)RCCE_num_ues() + (size_t)rank];
}

/* Whoever is late sends the next rank a message, which takes it late: it lies in the sender's payload area
 * while others are in the call. Returns how many bytes arrive that were not sent. */
static long message_before(int number, int late, long long lateness) {
  const int next = (late + 1) % RCCE_num_ues();
  const size_t bytes = RCCE_chunk;
  char *const message = (char *)malloc(2 * bytes + 1), *const got = message + bytes;
  struct fault fault = {0, 0, 0};
  if (!message || bytes == 0 || (RCCE_ue() != late && RCCE_ue() != next)) {
    free(message);
    return 0;
  }
  for (size_t i = 0; i < bytes; ++i)
    message[i] = (char)(number + 7 * (int)(i / RCCE_LINE_SIZE) + (int)i);
  if (RCCE_ue() == late) {
    RCCE_send(message, bytes, next);
  } else {
    rcce_sleep_until(rcce_picoseconds() + lateness);
    RCCE_recv(got, bytes, late);
    compare(&fault, (const unsigned char *)got, (const unsigned char *)message, bytes, 0);
  }
  free(message);
  return fault.wrong;
}

/* One call, where every rank may be anywhere: nothing but the operation keeps them together. */
static void check_call(const lab_job_point *point, int number, int size, long long lateness) {
  const lab_check_call *const one = &point->calls[number];
  lab_check_time *const mine = check_time(point, number, RCCE_ue());
  call.bytes = check_bytes(point->sizes[size]);
  call.root = one->root;
  /* A program's buffers may begin anywhere. */
  const size_t away = number % 2 ? aside * (facts()->combines ? element_bytes(call.type) : 1) : 0;
  call.buffer += away;
  if (call.operand)
    call.operand += away;
  mine->bytes = (int64_t)call.bytes;
  before_call(number);
  if (one->sends)
    mine->of_message = message_before(number, one->late, lateness);
  else if (one->late == RCCE_ue())
    rcce_sleep_until(rcce_picoseconds() + lateness);
  mine->entered = rcce_picoseconds();
  mine->state = LAB_IN_CALL;
  const int result = run_call(one->nulls);
  mine->left = rcce_picoseconds();
  mine->state = result == RCCE_SUCCESS ? LAB_DONE : LAB_REFUSED;
  const struct fault none = {0, 0, 0}, fault = result == RCCE_SUCCESS ? after_call(number) : none;
  call.buffer -= away;
  if (call.operand)
    call.operand -= away;
  mine->wrong = fault.wrong;
  mine->first = fault.first;
  mine->of_operand = fault.of_operand;
}

/* Whether all ranks have refused the call, in which each looks at what the others have noted. */
static int refused_by_all(const lab_job_point *point, int number) {
  for (int rank = 0; rank < RCCE_num_ues(); ++rank)
    if (check_time(point, number, rank)->state != LAB_REFUSED)
      return 0;
  return 1;
}

/* The size of a call in a row. Where all ranks refuse it, a user's algorithm gets the shortest one that it
 * takes and one buffer holds; -1 if there is none. */
static int size_of_call(const lab_job_point *point, int number) {
  const int planned = point->calls[number].size;
  int shortest = -1;
  if (!refused_by_all(point, planned))
    return planned;
  for (int size = 0; point->spaces && size < point->size_count; ++size) {
    const size_t bytes = check_bytes(point->sizes[size]);
    if (bytes > 0 && bytes <= (size_t)RCCE_chunk && !refused_by_all(point, size) &&
        (shortest < 0 || bytes < check_bytes(point->sizes[shortest])))
      shortest = size;
  }
  return shortest;
}

/* The first calls are one of each size, apart from each other: who refuses a size is not asked for it again,
 * and how long they take says how late a rank has to come for the others to be through a call and the one
 * before it. */
static int check_operation(const lab_job_point *point) {
  long long *const longest = (long long *)calloc((size_t)point->size_count, sizeof *longest);
  if (!longest)
    return 1;
  if (rockcreek_prepare(call.name, call.options) != RCCE_SUCCESS)
    return LAB_REFUSES;
  for (int number = 0; number < point->size_count; ++number) {
    meet_with_spaces(point);
    RCCE_barrier(&RCCE_COMM_WORLD); /* nobody notes its space behind a call while others still compare */
    check_call(point, number, number, 0);
  }
  meet_with_spaces(point);
  for (int number = 0; number < point->size_count; ++number)
    for (int rank = 0; rank < RCCE_num_ues(); ++rank) {
      const lab_check_time *const time = check_time(point, number, rank);
      if (time->left - time->entered > longest[number])
        longest[number] = time->left - time->entered;
    }
  long long before = longest[point->size_count - 1];
  for (int number = point->size_count; number < point->call_count; ++number) {
    const int size = size_of_call(point, number);
    const long long own = size < 0 ? 0 : longest[size];
    if (size >= 0)
      check_call(point, number, size, 2 * (own > before ? own : before) + picoseconds_between);
    before = own;
  }
  free(longest);
  meet_with_spaces(point);
  return 0;
}

/* The point of a command line; the words that say nothing of it are the algorithm's options, joined. */
static const lab_job_point *point_of(char **word, char **end) {
  static lab_job_point point = {"", "", "", "double", "sum", 0, 0, 0, 1, 1, NULL, NULL, NULL,
                                1, 0, NULL, 0, NULL, 0, 0, NULL, NULL, NULL, 0, NULL};
  static char options[1024];
  const struct {
    const char *name, **text;
    int32_t *number;
  } known[] = {{"operation=", &point.operation, NULL},
               {"algorithm=", &point.algorithm, NULL},
               {"type=", &point.type, NULL},
               {"op=", &point.op, NULL},
               {"root=", NULL, &point.root},
               {"warm_up=", NULL, &point.warm_up},
               {"repetitions=", NULL, &point.repetitions},
               {"reads=", NULL, &point.reads}};
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
  if (!point || !point->operation)
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
  call.inexact = point->inexact;
  call.moves_payload = point->moves_payload;
  void *memory = NULL, *operand_memory = NULL, *first_memory = NULL;
  for (int size = 0; size < point->size_count; ++size) /* buffers for the largest */
    if (check_bytes(point->sizes[size]) > call.bytes)
      call.bytes = check_bytes(point->sizes[size]);
  call.buffer = vector(&memory);
  if (facts()->source != ROCKCREEK_NOTHING && !facts()->in_place)
    call.operand = vector(&operand_memory);
  if (call.inexact)
    call.first = vector(&first_memory);
  if (call.moves_payload)
    fill_source(call.bytes);
  const int status = point->calls ? check_operation(point) : time_operation(point);
  if (status != 0)
    return status;
  free(memory);
  free(operand_memory);
  free(first_memory);
  RCCE_finalize();
  return 0;
}
