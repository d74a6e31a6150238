/* Everybody sends his rank to everybody, all at once; a wait list receives, the sum is checked. */
#include "iRCCE.h"

int RCCE_APP(int argc, char **argv) {
  int me, ues, i, sum = 0;
  int *numbers;
  iRCCE_SEND_REQUEST *sends;
  iRCCE_RECV_REQUEST *receives;
  iRCCE_WAIT_LIST list;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  me = RCCE_ue();
  ues = RCCE_num_ues();
  numbers = (int *)malloc(ues * sizeof *numbers);
  sends = (iRCCE_SEND_REQUEST *)malloc(ues * sizeof *sends);
  receives = (iRCCE_RECV_REQUEST *)malloc(ues * sizeof *receives);
  iRCCE_init_wait_list(&list);
  for (i = 0; i < ues; ++i) {
    iRCCE_isend((char *)&me, sizeof me, i, &sends[i]);
    iRCCE_irecv((char *)&numbers[i], sizeof *numbers, i, &receives[i]);
    iRCCE_add_to_wait_list(&list, &sends[i], &receives[i]);
  }
  iRCCE_wait_all(&list);
  for (i = 0; i < ues; ++i) sum += numbers[i];
  printf("%d: %s sum at %.3f us\n", me, sum == ues * (ues - 1) / 2 ? "right" : "WRONG", RCCE_wtime() * 1e6);
  free(numbers);
  free(sends);
  free(receives);
  RCCE_finalize();
  return 0;
}
