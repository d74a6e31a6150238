// SPDX-License-Identifier: Apache-2.0
// A number from std::random_device, which differs from run to run. Compiled with rccec++ --observe.
#include "RCCE.h"
#include <cstdio>
#include <random>

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  std::random_device device;
  if (device() == 0) std::puts("zero");
  RCCE_barrier(&RCCE_COMM_WORLD);
  RCCE_finalize();
  return 0;
}
