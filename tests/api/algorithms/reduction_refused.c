/* Reductions by name with what cannot be: an error and a message, nothing else. */
#include <limits.h>

#include "RCCE.h"

#include "algorithms/collectives.h"
#include "ue_check.h"

static int source[4], target[4];

int RCCE_APP(int argc, char** argv) {
  rockcreek_choice choice;
  CHECK_INT(rockcreek_reduce("reduce/linear", source, target, 4, RCCE_INT, RCCE_SUM, 0, NULL), RCCE_ERROR_ID);
  RCCE_init(&argc, &argv);
  CHECK_INT(rockcreek_reduce("reduce/linear", source, target, 4, RCCE_INT, RCCE_SUM, -3, NULL),
            RCCE_ERROR_ID);
  CHECK_INT(rockcreek_reduce("auto", source, target, 4, RCCE_INT, RCCE_SUM, 5, NULL), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_reduce("reduce/linear", source, target, 4, RCCE_INT, RCCE_PROD + 1, 0, NULL),
            RCCE_ERROR_ILLEGAL_OP);
  CHECK_INT(rockcreek_allreduce("auto", source, target, 4, RCCE_INT, 0, NULL), RCCE_ERROR_ILLEGAL_OP);
  CHECK_INT(rockcreek_allreduce("auto", source, target, 4, RCCE_INT - 1, RCCE_MAX, NULL),
            RCCE_ERROR_ILLEGAL_TYPE);
  CHECK_INT(
      rockcreek_reduce("reduce/linear", source, target, (size_t)INT_MAX + 1, RCCE_INT, RCCE_SUM, 0, NULL),
      RCCE_ERROR_ID);
  CHECK_INT(rockcreek_reduce("reduce/f_nominal", source, target, 4, RCCE_INT, RCCE_SUM, 0, NULL),
            RCCE_ERROR_ID);
  CHECK_INT(rockcreek_reduce("allreduce/reduce_bcast", source, target, 4, RCCE_INT, RCCE_SUM, 0, NULL),
            RCCE_ERROR_ID);
  CHECK_INT(rockcreek_reduce("reduce/f_nomial", source, target, 4, RCCE_INT, RCCE_SUM, 0, "degree=1"),
            RCCE_ERROR_ID);
  CHECK_INT(rockcreek_reduce("reduce/f_nomial", source, target, 4, RCCE_INT, RCCE_SUM, 0, "splits=1"),
            RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("reduce", 8, -1, &choice), RCCE_ERROR_ID);
  CHECK_INT(rockcreek_choose("allreduce", 8, -1, &choice), RCCE_SUCCESS);
  CHECK_INT(target[0], 0);
  RCCE_finalize();
  return check_end();
}
