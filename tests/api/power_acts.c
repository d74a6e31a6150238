/* A divider change changes the clock of the domain's tiles: the same exchange takes longer at 100 MHz than at
 * 533 MHz, on the simulated chip's clock, and a voltage change takes its time. */
#include "RCCE.h"

#include "ue_check.h"

static double exchange(int me) {
  static char data[8192];
  double start;
  int n;
  RCCE_barrier(&RCCE_COMM_WORLD);
  start = RCCE_wtime();
  for (n = 0; n < 10; ++n)
    if (me == 0) {
      RCCE_send(data, sizeof data, 1);
      RCCE_recv(data, sizeof data, 1);
    } else {
      RCCE_recv(data, sizeof data, 0);
      RCCE_send(data, sizeof data, 0);
    }
  return RCCE_wtime() - start;
}

int RCCE_APP(int argc, char** argv) {
  double fast, slow, again, start, waited;
  RCCE_REQUEST request;
  int divider, level;
  RCCE_init(&argc, &argv);
  fast = exchange(RCCE_ue());
  start = RCCE_wtime();
  CHECK_INT(RCCE_iset_power(16, &request, &divider, &level), 0);
  CHECK_INT(RCCE_wait_power(&request), 0);
  waited = RCCE_wtime() - start;
  slow = exchange(RCCE_ue());
  CHECK_INT(RCCE_iset_power(3, &request, &divider, &level), 0);
  CHECK_INT(RCCE_wait_power(&request), 0);
  again = exchange(RCCE_ue());
  CHECK(slow > 2 * fast, "%g s at divider 3, %g s at divider 16", fast, slow);
  CHECK(again > 0.9 * fast && again < 1.1 * fast, "%g s at first, %g s after the way back", fast, again);
  if (RCCE_power_domain_master() == RCCE_ue()) CHECK(waited > 1e-5, "the voltage change took %g s", waited);
  RCCE_barrier(&RCCE_COMM_WORLD);
  return check_end();
}
