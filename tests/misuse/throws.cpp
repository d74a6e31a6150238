// An exception that nobody catches on one UE.
#include <stdexcept>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  if (RCCE_ue() == 1) throw std::runtime_error("nobody catches this");
  RCCE_barrier(&RCCE_COMM_WORLD);
  return 0;
}
