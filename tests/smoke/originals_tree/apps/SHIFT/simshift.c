/* Each UE hands its data to the next, as often as the command line says. UE 0 receives first, so nobody waits
   for ever. */
#include "RCCE.h"

#define WORDS 2500

static double data[WORDS], incoming[WORDS];

static double sum(void) {
  double total = 0;
  int i;
  for (i = 0; i < WORDS; i++) total += data[i];
  return total;
}

int RCCE_APP(int argc, char **argv) {
  int rounds, me, n, i;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  n = RCCE_num_ues();
  if (argc != 2 || (rounds = atoi(argv[1])) < 0) {
    if (me == 0) printf("needs one parameter, the number of rounds\n");
    exit(1);
  }
  for (i = 0; i < WORDS; i++) data[i] = me + 0.5 * i;
  printf("Initial sum on UE %03d equals %f\n", me, sum());
  while (rounds-- > 0) {
    if (me > 0) RCCE_send((char *)data, sizeof data, (me + 1) % n);
    RCCE_recv((char *)incoming, sizeof incoming, (me + n - 1) % n);
    if (me == 0) RCCE_send((char *)data, sizeof data, 1);
    for (i = 0; i < WORDS; i++) data[i] = incoming[i];
  }
  printf("Final sum on UE %03d equals %f\n", me, sum());
  fflush(NULL);
  RCCE_finalize();
  return 0;
}
