/* A broadcast of the algorithms library delivers every byte to every rank and touches nothing beside: lengths
 * around lines, parts and chunks; roots first, middle, last (one of them for the longest message on more
 * than 2 UEs, which is shorter on many). WHOLE=1 in the environment: one of them on many UEs alone, nothing
 * shorter. Arguments: the algorithm [options]. */
#include <stdlib.h>

#include "iRCCE.h"

#include "algorithms/collectives.h"
#include "rows.h"
#include "ue_check.h"

/* The longest message has more chunks than a byte counts; that of many UEs still has more parts than UEs. */
enum { margin = 67, largest = 1900000, largest_of_many = 300001 };
static unsigned char room[largest + 2 * margin];

static void broadcast(const char* algorithm, int root, unsigned long length, const char* options) {
  unsigned char* at = room + margin;
  const unsigned long behind = length + 4096 < largest ? 4096 : largest - length;
  long fault;
  memset(room, POISON, margin + length + behind + margin);
  if (RCCE_ue() == root) fill_pattern(at, root, length);
  CHECK_INT(rockcreek_bcast(algorithm, (char*)at, length, root, options), RCCE_SUCCESS);
  fault = find_fault(at, root, length);
  CHECK(fault < 0, "%s, root %d, length %lu: byte %ld", algorithm, root, length, fault);
  CHECK(find_unpoisoned(room, margin) < 0, "%s, bytes before: root %d, length %lu", algorithm, root, length);
  CHECK(find_unpoisoned(at + length, behind + margin) < 0, "%s, bytes behind: root %d, length %lu", algorithm,
        root, length);
}

int RCCE_APP(int argc, char** argv) {
  static const unsigned long lengths[] = {0,    1,    31,   32,   33,   4095,   4096,
                                          4097, 8031, 8032, 8033, 8192, 100001, largest};
  int whole, shorter;
  const char* options;
  int roots[3];
  unsigned i, r;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  roots[0] = 0;
  roots[1] = RCCE_num_ues() / 2;
  roots[2] = RCCE_num_ues() - 1;
  options = argc > 2 ? argv[2] : NULL;
  whole = getenv("WHOLE") != NULL;
  shorter = RCCE_num_ues() > 5 && !whole;
#ifdef SINGLEBITFLAGS
  /* Such flags have no room for numbers. A schedule may do without, and has tests of its own. */
  if ((row_of(argv[1])->needs & ROCKCREEK_NEEDS_TAGS) != 0 && strcmp(argv[1], "bcast/schedule") != 0) {
    CHECK_INT(rockcreek_prepare(argv[1], options), RCCE_ERROR_ID);
    RCCE_finalize();
    return check_end();
  }
#endif
  CHECK_INT(rockcreek_prepare(argv[1], options), RCCE_SUCCESS);
  for (i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    const int once = lengths[i] == largest && RCCE_num_ues() > (whole ? 12 : 2);
    const unsigned long length = lengths[i] == largest && shorter ? largest_of_many : lengths[i];
    for (r = 0; r < 3; ++r) {
      if (r > 0 && roots[r] == roots[r - 1]) continue;
      if (once && r != (unsigned)(RCCE_num_ues() / 16 % 3)) continue;
      broadcast(argv[1], roots[r], length, options);
    }
  }
  RCCE_finalize();
  return check_end();
}
