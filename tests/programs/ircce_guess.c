/* A master hands a word out and takes guesses: workers type at random until a message tells them to stop.
 * Their loop has no bound and no call but iRCCE_irecv_test. */
#include <string.h>

#include "iRCCE.h"

static const char word[] = "monk";
enum { letters = sizeof word - 1 };

static unsigned next_number(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

static void work(int me) {
  iRCCE_RECV_REQUEST stop;
  iRCCE_SEND_REQUEST send;
  char wanted[letters], guess[letters], end;
  unsigned state = 12345u * (unsigned)me;
  int stopped = 0, found = 0;
  iRCCE_recv(wanted, letters, 0);
  iRCCE_irecv(&end, 1, 0, &stop);
  while (!stopped) {
    int i, right = !found;
    for (i = 0; i < letters; ++i) {
      guess[i] = "kmno"[next_number(&state) % 4];
      right = right && guess[i] == wanted[i];
    }
    if (right) {
      found = 1;
      iRCCE_isend(wanted, letters, 0, &send);
    }
    RCCE_irecv_test(&stop, &stopped);
  }
  if (found) iRCCE_isend_wait(&send);
}

int RCCE_APP(int argc, char **argv) {
  int me, ues, i;
  RCCE_init(&argc, &argv);
  iRCCE_init();
  me = RCCE_ue();
  ues = RCCE_num_ues();
  if (me == 0) {
    static char answers[RCCE_MAXNP][letters], end = 'e';
    static iRCCE_RECV_REQUEST requests[RCCE_MAXNP];
    iRCCE_WAIT_LIST guesses;
    iRCCE_RECV_REQUEST *first;
    iRCCE_SEND_REQUEST *none;
    for (i = 1; i < ues; ++i) iRCCE_send((char *)word, letters, i);
    iRCCE_init_wait_list(&guesses);
    for (i = 1; i < ues; ++i) {
      iRCCE_irecv(answers[i], letters, i, &requests[i]);
      iRCCE_add_to_wait_list(&guesses, NULL, &requests[i]);
    }
    iRCCE_wait_any(&guesses, &none, &first);
    printf("rank %d was first with '%.4s' at %.3f us\n", first->source, first->privbuf, RCCE_wtime() * 1e6);
    for (i = 1; i < ues; ++i) iRCCE_isend(&end, 1, i, NULL);
    for (i = 1; i < ues; ++i) /* those that found nothing */
      if (!requests[i].finished) iRCCE_irecv_cancel(&requests[i], NULL);
  } else {
    work(me);
  }
  printf("rank %d ends at %.3f us\n", me, RCCE_wtime() * 1e6);
  RCCE_finalize();
  return 0;
}
