/* A token round all UEs of a mesh larger than the chip, small messages to neighbours, gathered by a chain. */
#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
  int me, ues, sum = 0;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  ues = RCCE_num_ues();
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (me > 0) RCCE_recv((char *)&sum, sizeof sum, me - 1);
  sum += me + 1;
  if (me < ues - 1)
    RCCE_send((char *)&sum, sizeof sum, me + 1);
  else
    printf("sum %d, expected %d\n", sum, ues * (ues + 1) / 2);
  RCCE_barrier(&RCCE_COMM_WORLD);
  return sum != (me + 1) * (me + 2) / 2;
}
