/* The collectives by name with what cannot be: an error and a message, nothing else. */
#include <limits.h>

#include "RCCE.h"

#include "algorithms/collectives.h"
#include "ue_check.h"

static char buffer[64];

static void roots(void) {
  rockcreek_choice choice;
  CHECK_INT(rockcreek_choose("bcats", 1, 0, &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose(NULL, 1, 0, &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("bcast", 1, 0, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("bcast", 1, -3, &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("bcast", 1, RCCE_num_ues(), &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("bcast", 1, INT_MIN, &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("barrier", 1, -1, &choice), RCCE_SUCCESS);
  CHECK_INT(rockcreek_bcast("auto", buffer, sizeof buffer, -3, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("auto", buffer, sizeof buffer, 5, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("bcast/cube", buffer, sizeof buffer, -7, NULL), RCCE_ERROR_ID);
  /* The longest message is none that anybody can send, but it can be asked about. */
  CHECK_INT(rockcreek_choose("bcast", (size_t)-1, 0, &choice), RCCE_SUCCESS);
  CHECK_INT(rockcreek_choose("bcast", 0, 0, &choice), RCCE_SUCCESS);
}

static void names(void) {
  CHECK_INT(rockcreek_bcast(NULL, buffer, sizeof buffer, 0, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("bcast/cub", buffer, sizeof buffer, 0, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("barrier/tree", buffer, sizeof buffer, 0, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_barrier("barrier/tre", NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_prepare(NULL, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_prepare("bcast/stagedpull", NULL), RCCE_ERROR_ID);
}

static void options(void) {
  CHECK_INT(rockcreek_bcast("bcast/cube", buffer, sizeof buffer, 0, "prat=64"), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("bcast/linear", buffer, sizeof buffer, 0, "part=64"), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("bcast/cube", buffer, sizeof buffer, 0, "part"), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("bcast/cube", buffer, sizeof buffer, 0, "part=0"), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("bcast/cube", buffer, sizeof buffer, 0, "part=64k"), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("bcast/cube", buffer, sizeof buffer, 0, "part=99999999999999999999"),
            RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("bcast/dopl", buffer, sizeof buffer, 0, "line_order=spiral"), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("bcast/dopl", buffer, sizeof buffer, 0, "rows=3"), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("auto", buffer, sizeof buffer, 0, "part=64"), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_prepare("auto", "part=64"), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_prepare("barrier/tree", "fan_out=0"), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_barrier("barrier/tree", "fan_out=-2"), RCCE_ERROR_ID);
  /* More children than there are UEs are all of them; a refused text leaves the options as they were. */
  CHECK_INT(rockcreek_prepare("barrier/tree", " fan_out=65536 "), RCCE_SUCCESS);
  CHECK_INT(rockcreek_barrier("barrier/tree", "fan_out=2"), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_barrier("barrier/tree", "fan_out=65536"), RCCE_SUCCESS);
  CHECK_INT(rockcreek_barrier("barrier/tree", NULL), RCCE_SUCCESS);
  CHECK_INT(rockcreek_bcast("bcast/cube", buffer, sizeof buffer, 0, "part=7 part=32"), RCCE_SUCCESS);
  CHECK_INT(rockcreek_bcast("bcast/cube", buffer, sizeof buffer, 0, ""), RCCE_SUCCESS);
}

int RCCE_APP(int argc, char **argv) {
  rockcreek_choice choice;
  CHECK_INT(rockcreek_prepare("auto", NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("bcast", 1, 0, &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_bcast("auto", buffer, 1, 0, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_barrier("barrier/linear", NULL), RCCE_ERROR_ID);
  RCCE_init(&argc, &argv);
  roots();
  names();
  options();
  RCCE_finalize();
  return check_end();
}
