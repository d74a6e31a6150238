// bcast/cube with RCCE_send and RCCE_recv, as in the SCC broadcast thesis.
#include "algorithms/bcast/cube.hpp"

#include <RCCE.h>

#include "algorithms/message.hpp"
#include "runner.hpp"

namespace algorithms {

int bcast_cube(const Broadcast& call) {
  const int ranks = RCCE_num_ues();
  const int self = virtual_rank(RCCE_ue(), call.root, ranks);
  const Cut cut{call.bytes, call.part_bytes()};
  const cube::Shape shape(ranks, cut.parts());
  for (int round = 0; round < shape.rounds(); ++round) {
    for (const cube::Move& move : shape.moves(self, round)) {
      const int partner = real_rank(move.partner, call.root, ranks);
      char* part = call.buffer + cut.offset(move.part);
      const std::size_t length = cut.length(move.part);
      const int error = move.send ? RCCE_send(part, length, partner) : RCCE_recv(part, length, partner);
      if (error != RCCE_SUCCESS) return error;
    }
  }
  return RCCE_SUCCESS;
}

} // namespace algorithms
