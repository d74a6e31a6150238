/* Calls at known lines of known functions: smoke.profile reads them. */
#include "RCCE.h"
#include "rockcreek.h"

static __attribute__((noinline)) void work(int cycles) {
  rcce_compute(cycles);
}

static __attribute__((noinline)) void exchange(char* data, int me) {
  if (me == 0) RCCE_send(data, 320, 1);
  if (me == 1) RCCE_recv(data, 320, 0);
}

static __attribute__((noinline)) void steps(char* data, int me) {
  int i;
  for (i = 0; i < 10; ++i) {
    work(1000);
    exchange(data, me);
  }
}

int RCCE_APP(int argc, char** argv) {
  char data[320] = {0};
  RCCE_init(&argc, &argv);
  steps(data, RCCE_ue());
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_finalize();
  return 0;
}
