/* SPDX-License-Identifier: Apache-2.0 */
/* What lets collectives meet each other in a test: UEs that come late by different amounts, and messages
 * between calls. */
#ifndef LATE_UES_H
#define LATE_UES_H

#include "RCCE.h"
#include "ue_check.h"

/* Numbers that look like drawn ones, the same everywhere. */
static unsigned mixed(unsigned value) {
  value = (value ^ (value >> 15)) * 2654435761u;
  return (value ^ (value >> 13)) * 2246822519u >> 7;
}

/* Comes up to 300 us late. */
static void be_late(unsigned chance) {
  if (chance % 4 != 0) rcce_sleep_until(rcce_picoseconds() + (long long)(mixed(chance) % 300) * 1000000);
}

/* A message to the next rank, whatever the collective before has left in the buffers. */
static void pass_on(void) {
  const int me = RCCE_ue(), ues = RCCE_num_ues(), next = (me + 1) % ues, before = (me + ues - 1) % ues;
  int got = -1, own = me;
  if (ues == 1) return;
  if (me % 2 == 0) RCCE_send((char*)&own, sizeof own, next);
  RCCE_recv((char*)&got, sizeof got, before);
  if (me % 2 != 0) RCCE_send((char*)&own, sizeof own, next);
  CHECK_INT(got, before);
}

#endif
