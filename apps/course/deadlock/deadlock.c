/* SPDX-License-Identifier: Apache-2.0 */
/* rockcreek exercise: deadlock
 *
 * A shift that sometimes never ends. See README.md beside the original of this file. */
#include <stddef.h>

#include "RCCE.h"

/* Called on every UE. The `bytes` bytes in `out` go to the UE `distance` further, 0 <= distance < number of
 * UEs, counted round the ring; in `in` is what the one `distance` before has sent. `out` stays as it is.
 * Returns RCCE_SUCCESS, or the error of a call. */
int shift(char *out, char *in, size_t bytes, int distance) {
  const int me = RCCE_ue(), ues = RCCE_num_ues();
  const int to = (me + distance) % ues, from = (me + ues - distance) % ues;
  if (me % 2 == 0) {
    const int error = RCCE_send(out, bytes, to);
    return error == RCCE_SUCCESS ? RCCE_recv(in, bytes, from) : error;
  } else {
    const int error = RCCE_recv(in, bytes, from);
    return error == RCCE_SUCCESS ? RCCE_send(out, bytes, to) : error;
  }
}

/* Your explanation, as a rule: does the shift above, as it was given to you, wait for ever? */
int hangs(int ues, int distance) {
  (void)ues;
  (void)distance;
  return 0;
}
