#include "RCCE.h"

int main(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  printf("%d %d\n", RCCE_ue(), RCCE_ue() * RCCE_ue());
  RCCE_finalize();
  return 0;
}
