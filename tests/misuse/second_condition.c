/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 1 waits for a message of rank 2, which comes last, or of rank 0, which comes first. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "iRCCE_lib.h"

int RCCE_APP(int argc, char** argv) {
  const struct timespec later = {0, 500000000};
  char late[32] = "", early[32] = "";
  RCCE_init(&argc, &argv);
  iRCCE_init();
  if (RCCE_ue() == 0) {
    nanosleep(&later, NULL);
    RCCE_send(early, sizeof early, 1);
  } else if (RCCE_ue() == 1) {
    iRCCE_WAIT_LIST list;
    iRCCE_RECV_REQUEST first, second, *met = NULL;
    printf("process %d waits\n", (int)getpid());
    fflush(stdout);
    iRCCE_init_wait_list(&list);
    iRCCE_irecv(late, sizeof late, 2, &first);
    iRCCE_irecv(early, sizeof early, 0, &second);
    iRCCE_add_to_wait_list(&list, NULL, &first);
    iRCCE_add_to_wait_list(&list, NULL, &second);
    iRCCE_wait_any(&list, NULL, &met);
    RCCE_send(early, sizeof early, 2);
    iRCCE_wait_all(&list);
    printf("the %s request was met first\n", met == &second ? "second" : "first");
  } else {
    RCCE_recv(early, sizeof early, 1);
    RCCE_send(late, sizeof late, 1);
  }
  RCCE_finalize();
  return 0;
}
