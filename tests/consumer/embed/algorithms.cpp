// SPDX-License-Identifier: Apache-2.0
// Asks a schedule a question, as a teacher's script would.
#include <cstdio>

#include "algorithms/shapes/cube.hpp"

int main() {
  std::printf("cube needs %d rounds\n", algorithms::cube::Shape(7, 2).rounds());
}
