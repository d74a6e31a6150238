// SPDX-License-Identifier: Apache-2.0
// What does `auto` take where a row needs a mesh that the UEs do not fill, registers, or AIR, or is for other
// ranks or another root? The library's own choice, over the table in needs/.
#include <cstdio>

#include <RCCE.h>

#include "core/automatic.cpp"

extern "C" int RCCE_APP(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  const auto choice = [](const char* operation, std::size_t bytes, int root = 0) {
    rockcreek_choice taken;
    const bool some =
        rockcreek_choose(operation, bytes, root, &taken) == RCCE_SUCCESS && taken.algorithm != nullptr;
    return some ? taken.algorithm : "nothing";
  };
  if (RCCE_ue() == 0)
    std::printf("%s, %s, %s, %s, %s, %s\n", choice("bcast", 32), choice("bcast", 8192),
                choice("bcast", 500000), choice("bcast", 500000, RCCE_num_ues() - 1), choice("reduce", 32),
                choice("barrier", 0));
  RCCE_finalize();
  return 0;
}
