/* RCCE_wtime: simulated, never backwards, started by nobody's clock but the chip's; calls of one UE cost
 * time; a finished exchange took at least as long as its bytes need. Usable after RCCE_finalize. */
#include <errno.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <time.h>

#include "RCCE.h"

#include "ue_check.h"

int ftime(struct timeb*);

/* The clocks of the C library tell the chip's time, also those of old; what is no clock is refused. */
static void check_library_clocks(void) {
  struct timeval now;
  struct timezone zone = {60, 1};
  struct timeb old;
  struct timespec time;
  struct rusage usage;
  CHECK_INT(gettimeofday(&now, NULL), 0);
  CHECK_INT(gettimeofday(NULL, &zone), 0);
  CHECK_INT(zone.tz_minuteswest, 0);
  CHECK_INT(ftime(&old), 0);
  CHECK_INT(old.time, now.tv_sec);
  CHECK_INT(clock_gettime(99, &time), -1);
  CHECK_INT(clock_nanosleep(99, 0, &time, NULL), EINVAL);
  time.tv_sec = -1;
  time.tv_nsec = 0;
  CHECK_INT(clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL), EINVAL);
  CHECK_INT(getrusage(55, &usage), -1);
}

int RCCE_APP(int argc, char** argv) {
  static char data[8192];
  double before, after, small, large;
  int n, me;
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  before = RCCE_wtime();
  CHECK(isfinite(before) && before >= 0, "%g", before);
  for (n = 0; n < 1000; ++n) {
    after = RCCE_wtime();
    CHECK(after >= before, "time went back from %.12g to %.12g", before, after);
    before = after;
  }
  CHECK(after < 1, "%g s after nothing but queries", after);
  if (me < 2) {
    double times[2];
    int lengths[2] = {32, 8192}, k;
    for (k = 0; k < 2; ++k) {
      before = RCCE_wtime();
      for (n = 0; n < 5; ++n)
        if (me == 0) {
          RCCE_send(data, (size_t)lengths[k], 1);
          RCCE_recv(data, (size_t)lengths[k], 1);
        } else {
          RCCE_recv(data, (size_t)lengths[k], 0);
          RCCE_send(data, (size_t)lengths[k], 0);
        }
      times[k] = (RCCE_wtime() - before) / 10;
    }
    small = times[0];
    large = times[1];
    /* Nothing about the exact model here, only what no machine of this kind could do: 8192 B in 256 lines. */
    CHECK(small > 1e-6 && small < 2e-5, "32 B took %g s", small);
    CHECK(large > 5e-5 && large < 5e-4, "8192 B took %g s", large);
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  check_library_clocks();
  RCCE_finalize();
  CHECK(RCCE_wtime() >= before, "after finalize");
  CHECK(RCCE_ue() == me, "after finalize");
  return check_end();
}
