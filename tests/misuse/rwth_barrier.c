/* One UE stays away from a barrier of RWTH's. argv[1]: which. */
#include <string.h>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  static tree_t tree;
  char never;
  RCCE_init(&argc, &argv);
  RCCE_tree_init(&RCCE_COMM_WORLD, &tree, 2);
  if (RCCE_ue() == 3) RCCE_recv(&never, 1, 0);
  if (!strcmp(argv[1], "tree")) RCCE_tree_barrier(&RCCE_COMM_WORLD, &tree);
  while (!strcmp(argv[1], "nb") && RCCE_nb_barrier(&RCCE_COMM_WORLD) == RCCE_PENDING) {
  }
  return 0;
}
