/* rockcreek exercise: deadlock */
/* The UEs of one ring, gcd(ues, distance) rings in all, wait in a circle where all of them send first: where
   they are all even. */
#include <string.h>

#include "RCCE.h"

static int divisor(int a, int b) { return b == 0 ? a : divisor(b, a % b); }

/* The first of each ring, the smallest of its ranks, receives first. */
int shift(char *out, char *in, size_t bytes, int distance) {
  const int me = RCCE_ue(), ues = RCCE_num_ues();
  const int to = (me + distance) % ues, from = (me + ues - distance) % ues;
  int error;
  if (to == me) {
    memcpy(in, out, bytes);
    return RCCE_SUCCESS;
  }
  if (me < divisor(ues, distance)) {
    error = RCCE_recv(in, bytes, from);
    return error == RCCE_SUCCESS ? RCCE_send(out, bytes, to) : error;
  }
  error = RCCE_send(out, bytes, to);
  return error == RCCE_SUCCESS ? RCCE_recv(in, bytes, from) : error;
}

int hangs(int ues, int distance) { return distance == 0 || (ues % 2 == 0 && distance % 2 == 0); }
