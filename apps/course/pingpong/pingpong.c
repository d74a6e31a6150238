/* SPDX-License-Identifier: Apache-2.0 */
/* rockcreek exercise: pingpong
 *
 * A message goes from UE `first` to UE `second` and comes back. See README.md beside the original of this
 * file. */
#include <stddef.h>

#include "RCCE.h"

/* Called on every UE. UE `first` has the message in `out`, `bytes` bytes; afterwards it is in `in` at both,
 * brought back to `first` by `second`. The other UEs do nothing. Returns RCCE_SUCCESS, or the error of a
 * call. */
int round_trip(char *out, char *in, size_t bytes, int first, int second) {
  if (RCCE_ue() == first)
    return RCCE_send(out, bytes, second);
  if (RCCE_ue() == second)
    return RCCE_recv(in, bytes, first);
  return RCCE_SUCCESS;
}
