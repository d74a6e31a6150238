/* Plain main without RCCE_APP, without a return statement, a constructor of the C kind. */
#include <stdio.h>

#include "RCCE.h"

static int constructed;
__attribute__((constructor)) static void construct(void) {
  ++constructed;
}

int main(int argc, char* argv[]) {
  RCCE_init(&argc, &argv);
  RCCE_barrier(&RCCE_COMM_WORLD);
  if (constructed == 1) printf("rank %d constructed once\n", RCCE_ue());
  RCCE_finalize();
}
