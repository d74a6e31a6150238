/* Broadcasts follow each other at once, from changing roots, of changing length, between UEs that come late
 * by different amounts, with messages and barriers in between: nothing may be overwritten before everybody
 * has read it, and no flag may be set twice before it was seen. WHOLE=1 in the environment: twice as many
 * broadcasts. Arguments: the algorithm [options]. */
#include <stdlib.h>

#include "RCCE.h"

#include "algorithms/collectives.h"
#include "ue_check.h"

enum { largest = 70000, note = 9000 };
static unsigned char buffer[largest], sent[note], received[note];

static unsigned mixed(unsigned value) {
  value = (value ^ (value >> 15)) * 2654435761u;
  return (value ^ (value >> 13)) * 2246822519u >> 7;
}

static void pass_on(unsigned round) {
  const int me = RCCE_ue(), n = RCCE_num_ues();
  const int next = (me + 1) % n, before = (me + n - 1) % n;
  const unsigned long length = 1 + mixed(round) % note;
  fill_pattern(sent, me, length);
  if (me % 2 == 0) RCCE_send((char*)sent, length, next);
  if (me % 2 != 0 || (n % 2 != 0 && me == 0)) RCCE_recv((char*)received, length, before);
  if (me % 2 != 0) RCCE_send((char*)sent, length, next);
  if (me % 2 == 0 && !(n % 2 != 0 && me == 0)) RCCE_recv((char*)received, length, before);
  CHECK(find_fault(received, before, length) < 0, "message %u of length %lu from %d", round, length, before);
}

int RCCE_APP(int argc, char** argv) {
  static const unsigned long lengths[] = {32, 1, 700, 33, 2047, 8192, 32, 20000, 5, 3072, 40000, 64, largest};
  const char* options;
  unsigned round, rounds;
  RCCE_init(&argc, &argv);
  rounds = (RCCE_num_ues() > 24 ? 50 : 120) / (getenv("WHOLE") == NULL ? 2 : 1);
  options = argc > 2 ? argv[2] : NULL;
  CHECK_INT(rockcreek_prepare(argv[1], options), RCCE_SUCCESS);
  for (round = 0; round < rounds; ++round) {
    /* Runs of one root, then another at once. */
    const int root = (int)(mixed(round / (1 + round % 3) + 1) % (unsigned)RCCE_num_ues());
    const unsigned long length = lengths[mixed(round + 1000) % (sizeof lengths / sizeof *lengths)];
    const unsigned chance = mixed(round * 64 + (unsigned)RCCE_ue() + 5000);
    long fault;
    if (chance % 4 == 0) rcce_compute((long long)(chance / 4 % 200000));
    memset(buffer, POISON, length);
    if (RCCE_ue() == root) fill_pattern(buffer, root, length);
    CHECK_INT(rockcreek_bcast(argv[1], (char*)buffer, length, root, options), RCCE_SUCCESS);
    fault = find_fault(buffer, root, length);
    CHECK(fault < 0, "round %u, root %d, length %lu: byte %ld", round, root, length, fault);
    if (round % 7 == 3 && RCCE_num_ues() > 1) pass_on(round);
    if (round % 11 == 5) RCCE_barrier(&RCCE_COMM_WORLD);
  }
  RCCE_finalize();
  return check_end();
}
