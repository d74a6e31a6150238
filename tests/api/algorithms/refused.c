/* rockcreek_choose, _prepare and _bcast with what cannot be: an error and a message, nothing else. With the argument "once":
 * many choices, which take minutes where every UE predicts by itself. */
#include <limits.h>

#include "RCCE.h"

#include "algorithms/collectives.h"
#include "ue_check.h"

static char buffer[64];

static void many(void) {
  rockcreek_choice choice;
  int i;
  for (i = 0; i < 100; ++i) {
    CHECK_INT(rockcreek_choose("bcast", 1000000 - (size_t)i, 0, NULL, &choice), RCCE_SUCCESS);
    CHECK(choice.predicted_us > 1000, "%f us", choice.predicted_us);
  }
}

static void refused(void) {
  rockcreek_choice choice;
  rockcreek_options options;
  int i;
  memset(&options, 0, sizeof options);
  CHECK_INT(rockcreek_choose("bcats", 1, 0, NULL, &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose(NULL, 1, 0, NULL, &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("bcast", 1, 0, NULL, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("bcast", 1, -1, NULL, &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("bcast", 1, RCCE_num_ues(), NULL, &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("bcast", 1, INT_MIN, NULL, &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("barrier", 1, -1, NULL, &choice), RCCE_SUCCESS);
  CHECK_INT(rockcreek_bcast("auto", buffer, sizeof buffer, -1, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("auto", buffer, sizeof buffer, 5, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("bcast/cube", buffer, sizeof buffer, -7, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast(NULL, buffer, sizeof buffer, 0, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_prepare(NULL, NULL), RCCE_ERROR_ID);
  /* The longest message is none that anybody can send, but it can be asked about. */
  for (i = 20; i < 64; i += 10) {
    CHECK_INT(rockcreek_choose("bcast", (size_t)1 << i, 0, NULL, &choice), RCCE_SUCCESS);
    CHECK(choice.predicted_us > 0, "%f us", choice.predicted_us);
  }
  CHECK_INT(rockcreek_choose("bcast", (size_t)-1, 0, NULL, &choice), RCCE_SUCCESS);
  CHECK_INT(rockcreek_choose("bcast", 0, 0, NULL, &choice), RCCE_SUCCESS);
  options.fan_out = INT_MAX;
  options.stages = INT_MAX;
  options.part_bytes = 1;
  CHECK_INT(rockcreek_choose("bcast", 1000000, 0, &options, &choice), RCCE_SUCCESS);
  CHECK_INT(rockcreek_prepare("barrier/tree", &options), RCCE_SUCCESS);
  CHECK_INT(rockcreek_barrier("barrier/tree", &options), RCCE_SUCCESS);
}

int RCCE_APP(int argc, char **argv) {
  rockcreek_choice choice;
  int once;
  CHECK_INT(rockcreek_prepare("auto", NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("bcast", 1, 0, NULL, &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("auto", buffer, 1, 0, NULL), RCCE_ERROR_ID);
  RCCE_init(&argc, &argv);
  once = argc > 1 && strcmp(argv[1], "once") == 0;
  if (once)
    many();
  else
    refused();
  RCCE_finalize();
  return check_end();
}
