/* SPDX-License-Identifier: Apache-2.0 */
/* rockcreek exercise: race
 *
 * Lines that go from UE to UE through a box in a buffer. They arrive; but would they always? See README.md
 * beside the original of this file. */
#include "RCCE.h"

enum { line = 32 };

static t_vcharp box;          /* one line in every UE's buffer, where the UE before puts what it has */
/* at the owner of the box: it is full; at the one before: it may be filled again */
static RCCE_FLAG full, empty;

/* Called once on every UE. */
void prepare(void) {
  box = RCCE_malloc(line);
  RCCE_flag_alloc(&full);
  RCCE_flag_alloc(&empty);
  RCCE_flag_write(&full, RCCE_FLAG_UNSET, RCCE_ue());
  RCCE_flag_write(&empty, RCCE_FLAG_SET, RCCE_ue());
  RCCE_barrier(&RCCE_COMM_WORLD);
}

/* Puts a line into the box of UE `to`, as soon as that is empty. */
void pass(char *text, int to) {
  RCCE_wait_until(empty, RCCE_FLAG_SET);
  RCCE_flag_write(&empty, RCCE_FLAG_UNSET, RCCE_ue());
  RCCE_put(box, (t_vcharp)text, line, to);
  RCCE_flag_write(&full, RCCE_FLAG_SET, to);
}

/* Takes the line that UE `from` has put into the own box. */
void take(char *text, int from) {
  RCCE_wait_until(full, RCCE_FLAG_SET);
  RCCE_flag_write(&full, RCCE_FLAG_UNSET, RCCE_ue());
  RCCE_flag_write(&empty, RCCE_FLAG_SET, from);
  RCCE_get((t_vcharp)text, box, line, RCCE_ue());
}
