/* A sleep lasts as long as asked, on every engine: by the C library, and until an instant. */
#include <time.h>

#include "RCCE.h"
#include "rockcreek.h"

#include "ue_check.h"

int RCCE_APP(int argc, char** argv) {
  const struct timespec asked = {0, 120000000};
  const long long ps = 120000000000;
  double before;
  long long instant;
  RCCE_init(&argc, &argv);
  before = RCCE_wtime();
  CHECK_INT(nanosleep(&asked, NULL), 0);
  CHECK(RCCE_wtime() - before >= 0.12, "%g s", RCCE_wtime() - before);
  instant = rcce_picoseconds() + ps;
  rcce_sleep_until(instant);
  CHECK(rcce_picoseconds() >= instant, "%lld ps too early", instant - rcce_picoseconds());
  RCCE_finalize();
  return check_end();
}
