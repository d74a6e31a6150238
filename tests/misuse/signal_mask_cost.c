// SPDX-License-Identifier: Apache-2.0
// All UEs together change their masks 400,000 times, by a signal that comes from outside.
#include <signal.h>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  sigset_t one;
  RCCE_init(&argc, &argv);
  sigemptyset(&one);
  sigaddset(&one, SIGRTMIN);
  for (int i = 0; i < 200000 / RCCE_num_ues(); ++i) {
    sigprocmask(SIG_BLOCK, &one, NULL);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
  }
  return RCCE_finalize();
}
