/* rockcreek exercise: pingpong */
#include <stddef.h>

#include "RCCE.h"

int round_trip(char *out, char *in, size_t bytes, int first, int second) {
  int error = RCCE_SUCCESS;
  if (RCCE_ue() == first) {
    error = RCCE_send(out, bytes, second);
    if (error == RCCE_SUCCESS)
      error = RCCE_recv(in, bytes, second);
  } else if (RCCE_ue() == second) {
    error = RCCE_recv(in, bytes, first);
    if (error == RCCE_SUCCESS)
      error = RCCE_send(in, bytes, first);
  }
  return error;
}
