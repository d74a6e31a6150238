// SPDX-License-Identifier: Apache-2.0
// bcast/cube
//
// Idea: ranks form 2^q units of one or two, which exchange parts with the hypercube neighbour across bit j
// mod q in round j; a unit hands on the part that it got in its last round with a 1 bit, so new parts
// spread like a binomial tree while old ones fill the gaps. Of a pair, one member receives and the other
// sends; they differ by one part at most.
//
// n = 7, 2 parts (a -> b : part; units {0} {1,4} {2,5} {3,6}):
//
//     round 0   0->1:0
//     round 1   0->2:1  1->6:0
//     round 2   0->4:1  2->3:1  6->5:0
//     closing   1->4:0  4->1:1   5->2:0  2->5:1   6->3:0  3->6:1
//
// Cost: m - 1 + ceil(log2 n) rounds for m parts, the lower bound where a process sends and receives one
// message at once; (n-1)*m messages, none superfluous. With blocking calls the two of a round follow each
// other.
//
// Hops: partners are neighbours in the hypercube, not on the mesh.
//
// Restrictions: none; any n, any root, any part size.
//
// Buffers and flags: those of RCCE_send. No barrier between rounds or broadcasts.
//
// Source: Bin Jia: Process Cooperation in Multiple Message Broadcast (Parallel Computing, 2009), section
// on arbitrary numbers of processes, with the corrections that tests/shape/cube_test.cpp checks; messages
// to the root are left out.
#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/cube.hpp"
#include "algorithms/shapes/message.hpp"

namespace algorithms {
namespace {

int run(const rockcreek_call* call) {
  const int ranks = RCCE_num_ues();
  const int self = virtual_rank(RCCE_ue(), call->root, ranks);
  const Segmentation cut{call->bytes, static_cast<std::size_t>(rockcreek_value(call, "part"))};
  const cube::Shape shape(ranks, cut.segments());
  for (int round = 0; round < shape.rounds(); ++round) {
    for (const cube::Move& move : shape.moves(self, round)) {
      const int partner = real_rank(move.partner, call->root, ranks);
      char* part = call->buffer + cut.offset(move.part);
      const std::size_t length = cut.length(move.part);
      const int error = move.send ? RCCE_send(part, length, partner) : RCCE_recv(part, length, partner);
      if (error != RCCE_SUCCESS) return error;
    }
  }
  return RCCE_SUCCESS;
}

} // namespace

// The part size is that of the measurements of the SCC broadcast thesis.
ROCKCREEK_ALGORITHM(
    bcast_cube, .name = "bcast/cube", .operation = ROCKCREEK_BCAST,
    .summary = "parts exchanged across a hypercube, one-port optimal in rounds; for long messages",
    .cost = "m - 1 + ceil(log2 n) rounds for m parts; (n-1)m messages",
    .source = "Bin Jia: Process Cooperation in Multiple Message Broadcast (2009)",
    .parameters = {{.name = "part",
                    .unit = "bytes",
                    .least = 1,
                    .most = ROCKCREEK_MOST_BYTES,
                    .default_value = 4096,
                    .tried = "256-524288:x2",
                    .help = "bytes of one part of the message"}},
    .lines = 1, .run = run);

} // namespace algorithms
