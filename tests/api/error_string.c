/* RCCE_error_string, RCCE_debug_set, RCCE_debug_unset: every code, its text, what is printed and when. Runs
 * on one UE; printed lines, of which the first are the texts, are compared by the test. */
#include "RCCE.h"

#include "ue_check.h"

static void check_unknown(int code) {
  char text[RCCE_MAX_ERROR_STRING];
  int length = 77;
  memset(text, 'x', sizeof text);
  CHECK_INT(RCCE_error_string(code, text, &length), RCCE_ERROR_INVALID_ERROR_CODE);
  CHECK(text[0] == 0 && length == 0, "code %d: '%.40s', %d", code, text, length);
}

int RCCE_APP(int argc, char** argv) {
  char text[RCCE_MAX_ERROR_STRING];
  int n, length, before_init;

  /* Allowed before RCCE_init. */
  before_init = RCCE_debug_set(RCCE_DEBUG_ALL);
  CHECK_INT(before_init, 0);
  CHECK_INT(RCCE_debug_unset(RCCE_DEBUG_ALL), 0);
  CHECK_INT(RCCE_error_string(RCCE_SUCCESS, text, &length), 0);
  RCCE_init(&argc, &argv);

  for (n = 0; n < 27; ++n) {
    int code = n == 0 ? RCCE_SUCCESS : RCCE_ERROR_BASE + n;
    memset(text, 'x', sizeof text);
    length = -1;
    CHECK_INT(RCCE_error_string(code, text, &length), 0);
    CHECK_INT(length, strlen(text));
    printf("%d: %s\n", n, text);
  }
  check_unknown(RCCE_ERROR_BASE);
  check_unknown(RCCE_ERROR_BASE + 27);
  check_unknown(RCCE_ERROR_BASE + 28);
  check_unknown(1);
  check_unknown(26);
  check_unknown(-1);

  CHECK_INT(RCCE_debug_set(RCCE_DEBUG_SYNCH), 0);
  CHECK_INT(RCCE_debug_set(RCCE_DEBUG_COMM), 0);
  CHECK_INT(RCCE_debug_set(RCCE_DEBUG_RPC), 0);
  CHECK_INT(RCCE_debug_set(12345), RCCE_ERROR_DEBUG_FLAG);
  CHECK_INT(RCCE_debug_unset(12345), RCCE_ERROR_DEBUG_FLAG);
  printf("silent until here\n");
  CHECK_INT(RCCE_debug_set(RCCE_DEBUG_DEBUG), 0);
  CHECK_INT(RCCE_debug_set(12345), RCCE_ERROR_DEBUG_FLAG);
  CHECK_INT(RCCE_debug_unset(0), RCCE_ERROR_DEBUG_FLAG);
  CHECK_INT(RCCE_error_string(4711, text, &length), RCCE_ERROR_INVALID_ERROR_CODE);
  CHECK_INT(RCCE_debug_unset(RCCE_DEBUG_ALL), 0);
  printf("silent from here\n");
  CHECK_INT(RCCE_debug_set(12345), RCCE_ERROR_DEBUG_FLAG);
  return check_finalize();
}
