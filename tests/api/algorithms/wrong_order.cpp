// SPDX-License-Identifier: Apache-2.0
// bcast/cube's messages in the order of the algorithm (argument "steps"), with everybody's sends of a round
// first ("send") or receives first ("receive"). Blocking calls cannot carry out the last two.
#include <algorithm>
#include <string_view>
#include <vector>

#include <RCCE.h>

#include "algorithms/shapes/cube.hpp"

int RCCE_APP(int argc, char** argv) {
  constexpr int parts = 2, part_bytes = 64;
  static char buffer[parts * part_bytes];
  RCCE_init(&argc, &argv);
  const std::string_view order = argv[1];
  const algorithms::cube::Shape shape(RCCE_num_ues(), parts);
  for (int round = 0; round < shape.rounds(); ++round) {
    const auto steps = shape.moves(RCCE_ue(), round);
    std::vector<algorithms::cube::Move> moves(steps.begin(), steps.end());
    if (order != "steps") {
      std::stable_partition(moves.begin(), moves.end(),
                            [&](const auto& move) { return move.send == (order == "send"); });
    }
    for (const auto& move : moves) {
      char* part = buffer + move.part * part_bytes;
      if (move.send)
        RCCE_send(part, part_bytes, move.partner);
      else
        RCCE_recv(part, part_bytes, move.partner);
    }
  }
  RCCE_finalize();
  return 0;
}
