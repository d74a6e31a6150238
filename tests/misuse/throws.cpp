// SPDX-License-Identifier: Apache-2.0
// An exception that nobody catches on one UE: thrown by the program itself, or on its behalf by the C++
// library, while objects wait for their end.
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "RCCE.h"

static int thrower(const std::vector<int>& numbers, std::size_t index) {
  return numbers.at(index);
}

static int caller(std::size_t index) {
  const std::vector<int> numbers(3, 7);
  return thrower(numbers, index) + 1;
}

int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  if (RCCE_ue() == 1) {
    if (argc > 1 && std::strcmp(argv[1], "library") == 0) return caller(9);
    throw std::runtime_error("nobody catches this");
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  return 0;
}
