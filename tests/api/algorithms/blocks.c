/* An operation on blocks of the algorithms library moves every byte to where it belongs: lengths around the
 * number of ranks, lines and buffers, all roots of few UEs; sources and what lies beside buffers untouched,
 * and targets of ranks that get nothing. Arguments: the algorithm, a mode, [options].
 *
 * - all: each call by itself; many UEs leave out the longest vector
 * - mixed: calls follow each other at once, from changing roots, between UEs that come late by different
 *   amounts, with messages in between; half as many on many UEs
 * WHOLE=1 in the environment: nothing is left out */
#include <stdlib.h>

#include "iRCCE.h"
#include "RCCE.h"

#include "algorithms/collectives.h"
#include "late_ues.h"
#include "ue_check.h"

enum { margin = 67, largest = 500000, room = largest + 4096 + 2 * margin };
static unsigned char source[room], target[room], wanted[room];

typedef struct Operation {
  const char* name;
  int has_root;
  int (*call)(const char* algorithm, unsigned long length, int root, const char* options);
  /* What this rank has before and afterwards, written from `at` on; returns how many bytes. */
  unsigned long (*before)(unsigned char* at, unsigned long length, int root);
  unsigned long (*after)(unsigned char* at, unsigned long length, int root);
} Operation;

static unsigned long begin_of(unsigned long length, int rank) {
  return length * (unsigned long)rank / (unsigned long)RCCE_num_ues();
}

/* The block of `rank` of the vector that belongs to `owner`. */
static unsigned long write_block(unsigned char* at, int owner, unsigned long length, int rank) {
  const unsigned long begin = begin_of(length, rank), bytes = begin_of(length, rank + 1) - begin;
  unsigned long i;
  for (i = 0; i < bytes; ++i) at[i] = pattern(owner, length, begin + i);
  return bytes;
}
static unsigned long own_block(unsigned char* at, unsigned long length, int root) {
  (void)root;
  return write_block(at, 0, length, RCCE_ue());
}
static unsigned long whole(unsigned char* at, unsigned long length, int root) {
  (void)root;
  fill_pattern(at, 0, length);
  return length;
}

static unsigned long own_whole(unsigned char* at, unsigned long length, int root) {
  (void)root;
  fill_pattern(at, RCCE_ue(), length);
  return length;
}
static unsigned long column(unsigned char* at, unsigned long length, int root) {
  unsigned long bytes = 0;
  int rank;
  (void)root;
  for (rank = 0; rank < RCCE_num_ues(); ++rank) bytes += write_block(at + bytes, rank, length, RCCE_ue());
  return bytes;
}
static unsigned long whole_at_root(unsigned char* at, unsigned long length, int root) {
  return RCCE_ue() == root ? whole(at, length, root) : 0;
}

static int gather(const char* algorithm, unsigned long length, int root, const char* options) {
  return rockcreek_gather(algorithm, source + margin, RCCE_ue() == root ? target + margin : NULL, length,
                          root, options);
}
static int scatter(const char* algorithm, unsigned long length, int root, const char* options) {
  return rockcreek_scatter(algorithm, RCCE_ue() == root ? source + margin : NULL, target + margin, length,
                           root, options);
}
static int alltoall(const char* algorithm, unsigned long length, int root, const char* options) {
  (void)root;
  return rockcreek_alltoall(algorithm, source + margin, target + margin, length, options);
}
static int allgather(const char* algorithm, unsigned long length, int root, const char* options) {
  (void)root;
  return rockcreek_allgather(algorithm, source + margin, target + margin, length, options);
}

static const Operation operations[] = {
    {"gather", 1, gather, own_block, whole_at_root},
    {"scatter", 1, scatter, whole_at_root, own_block},
    {"allgather", 0, allgather, own_block, whole},
    {"alltoall", 0, alltoall, own_whole, column},
};
static const Operation* what;

static void run(const char* algorithm, unsigned long length, int root, const char* options) {
  /* A column is longer than the vector where blocks are not alike. */
  const unsigned long compared = length + (unsigned long)RCCE_num_ues() + 2 * margin;
  unsigned long i;
  memset(source, POISON, compared);
  memset(target, POISON, compared);
  what->before(source + margin, length, root);
  CHECK_INT(what->call(algorithm, length, root, options), RCCE_SUCCESS);
  memset(wanted, POISON, compared);
  what->before(wanted + margin, length, root);
  CHECK(memcmp(source, wanted, compared) == 0, "%s: the source has changed: %lu bytes, root %d", algorithm,
        length, root);
  memset(wanted, POISON, compared);
  what->after(wanted + margin, length, root);
  for (i = 0; i < compared && target[i] == wanted[i]; ++i) continue;
  CHECK(i == compared, "%s: byte %ld of the target: %lu bytes, root %d", algorithm, (long)i - margin, length,
        root);
}

static void all(const char* algorithm, const char* options) {
  const int ues = RCCE_num_ues();
  const int left_out = ues > 5 && getenv("WHOLE") == NULL;
  const unsigned long lengths[] = {0,
                                   1,
                                   (unsigned long)ues - 1,
                                   (unsigned long)ues,
                                   33,
                                   32 * (unsigned long)ues + 1,
                                   8192,
                                   20011,
                                   100001,
                                   largest};
  unsigned i;
  int root;
  for (i = 0; i + (unsigned)left_out < sizeof lengths / sizeof *lengths; ++i)
    for (root = 0; root < (what->has_root ? ues : 1); ++root) {
      if (ues > 5 && root != 0 && root != ues / 2 && root != ues - 1) continue;
      if (lengths[i] > 20011 && root != ues / 2 && what->has_root) continue;
      run(algorithm, lengths[i], root, options);
    }
}

static void one_after_another(const char* algorithm, const char* options) {
  static const unsigned long lengths[] = {1, 400, 30, 15000, 47, 70001};
  const unsigned rounds = RCCE_num_ues() > 5 && getenv("WHOLE") == NULL ? 20 : 40;
  unsigned round;
  for (round = 0; round < rounds; ++round) {
    be_late(mixed(round * 64 + (unsigned)RCCE_ue()));
    run(algorithm, lengths[mixed(round) % 6], (int)(mixed(round + 100) % (unsigned)RCCE_num_ues()), options);
    if (round % 5 == 3) pass_on();
  }
}

int RCCE_APP(int argc, char** argv) {
  const char* options;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  options = argc > 3 ? argv[3] : NULL;
  for (what = operations;
       strncmp(argv[1], what->name, strlen(what->name)) != 0 || argv[1][strlen(what->name)] != '/';)
    ++what;
  if (strcmp(argv[2], "mixed") == 0)
    one_after_another(argv[1], options);
  else
    all(argv[1], options);
  RCCE_finalize();
  return check_end();
}
