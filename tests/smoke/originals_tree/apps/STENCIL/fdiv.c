/* Every UE asks for a clock divider; the masters of the voltage domains get it. */
#include "RCCE.h"

int RCCE_APP(int argc, char **argv) {
  int wanted = 4, got = 0;
  RCCE_init(&argc, &argv);
  if (argc == 2) wanted = atoi(argv[1]);
  if (RCCE_set_frequency_divider(wanted, &got)) printf("UE %d failed\n", RCCE_ue());
  else if (RCCE_ue() == RCCE_power_domain_master())
    printf("Requested fdiv: %d, actual fdiv: %d\n", wanted, got);
  RCCE_finalize();
  return 0;
}
