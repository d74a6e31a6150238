/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that no UE leaves barrier/mine before the last has come, in as many barriers one after the other as
 * there are UEs, and two more: in barrier k UE k comes late, at an instant that all know. */
#include "../checker.h"

#include "algorithms/collectives.h"

/* Between two late arrivals; much longer than a barrier takes. */
static const long long picoseconds_between = 2000LL * 1000 * 1000;

int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  const int me = RCCE_ue(), ues = RCCE_num_ues();
  if (rockcreek_prepare("barrier/mine", "") != RCCE_SUCCESS)
    return 1;
  RCCE_barrier(&RCCE_COMM_WORLD);
  for (int round = 0; round < ues + 2; ++round) {
    const long long late = (round + 1) * picoseconds_between;
    struct fault fault = {0, 0, 0};
    if (me == round % ues)
      rcce_sleep_until(late);
    if (rockcreek_barrier("barrier/mine", "") != RCCE_SUCCESS)
      fault.wrong = -2;
    else
      fault.wrong = rcce_picoseconds() < late;
    tell(round, 0, fault);
  }
  RCCE_finalize();
  return 0;
}
