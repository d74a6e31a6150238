/* With DEBUG_SYNCH on, every barrier prints two lines, on the world barrier of a split too. */
#include "RCCE.h"

#include "ue_check.h"

int RCCE_APP(int argc, char** argv) {
  RCCE_COMM everyone;
  RCCE_init(&argc, &argv);
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_debug_set(RCCE_DEBUG_SYNCH);
  CHECK_INT(RCCE_barrier(&RCCE_COMM_WORLD), 0);
  printf("split\n");
  CHECK_INT(RCCE_comm_split(same_color, NULL, &everyone), 0);
  RCCE_debug_unset(RCCE_DEBUG_SYNCH);
  CHECK_INT(RCCE_barrier(&everyone), 0);
  return check_end();
}
