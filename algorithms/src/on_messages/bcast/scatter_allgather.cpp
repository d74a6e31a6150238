// SPDX-License-Identifier: Apache-2.0
// bcast/scatter_allgather
//
// Idea: the root deals out one block per rank along a binomial tree; then the blocks go round a ring until
// everybody has all. A long message thus leaves the root about once, and all links work at the same time.
//
// n = 5 (virtual ranks; block b belongs to rank b):
//
//     scatter   0->4:4   0->2:2,3   0->1:1   2->3:3
//     ring 0    0->1:0   1->2:1     2->3:2   3->4:3
//     ring 1    0->1:4   1->2:0     2->3:1   3->4:2
//     ring 2    0->1:3   1->2:4     2->3:0   3->4:1
//     ring 3    0->1:2              2->3:4   3->4:0
//
// Left out: 1->2:3 in ring 3, which 2 has from the scatter, and all of 4->0.
//
// Cost: ceil(log2 n) + n-1 start-ups; bytes on the longest path: about bytes*(n-1)/n for the root's
// scatter and as much again for the ring.
//
// Hops: ring partners have neighbouring ranks.
//
// Restrictions: none; any n, any root. Short messages have empty blocks, whose messages are left out.
//
// Buffers and flags: those of RCCE_send.
//
// Source: Barnett, Shuler, van de Geijn, Gupta, Payne, Watts: Interprocessor Collective Communication
// Library (1994); the scatter as in Thakur, Rabenseifner, Gropp (2005), section 4. Blocks of whole lines,
// and leaving out what the receiver holds from the scatter, are ours.
#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/message.hpp"
#include "algorithms/shapes/scatter_allgather.hpp"

namespace algorithms {
namespace {

class ScatterAllgather {
 public:
  explicit ScatterAllgather(const rockcreek_call& call)
      : call_(call),
        ranks_(RCCE_num_ues()),
        self_(virtual_rank(RCCE_ue(), call.root, ranks_)),
        shape_(ranks_, call.bytes) {}

  void scatter() {
    if (self_ != 0) receive(self_, shape_.held_end(self_), binomial::parent(self_));
    for (int distance = binomial::first_distance(self_, ranks_); distance > 0; distance /= 2) {
      const int child = self_ + distance;
      if (child < ranks_) send(child, shape_.held_end(child), child);
    }
  }

  void allgather() {
    const int before = (self_ - 1 + ranks_) % ranks_, behind = (self_ + 1) % ranks_;
    for (int round = 0; round < shape_.rounds(); ++round) {
      const int given = shape_.block_sent(self_, round), taken = shape_.block_sent(before, round);
      const bool sends = shape_.sends(self_, round), receives = shape_.sends(before, round);
      if (sends && shape_.sends_first(self_)) send(given, given + 1, behind);
      if (receives) receive(taken, taken + 1, before);
      if (sends && !shape_.sends_first(self_)) send(given, given + 1, behind);
    }
  }

  [[nodiscard]] int error() const { return error_; }

 private:
  /// Blocks begin .. end-1; nothing where they are empty, and nothing after an error.
  void send(int begin, int end, int to) {
    const std::size_t offset = shape_.offset(begin), length = shape_.offset(end) - offset;
    if (length > 0 && error_ == RCCE_SUCCESS)
      error_ = RCCE_send(call_.buffer + offset, length, real_rank(to, call_.root, ranks_));
  }
  void receive(int begin, int end, int from) {
    const std::size_t offset = shape_.offset(begin), length = shape_.offset(end) - offset;
    if (length > 0 && error_ == RCCE_SUCCESS)
      error_ = RCCE_recv(call_.buffer + offset, length, real_rank(from, call_.root, ranks_));
  }

  const rockcreek_call& call_;
  int ranks_;
  int self_; ///< virtual
  scatter_allgather::Shape shape_;
  int error_ = RCCE_SUCCESS;
};

int run(const rockcreek_call* call) {
  ScatterAllgather both(*call);
  both.scatter();
  both.allgather();
  return both.error();
}

} // namespace

ROCKCREEK_ALGORITHM(
    bcast_scatter_allgather, .name = "bcast/scatter_allgather", .operation = ROCKCREEK_BCAST,
    .summary = "blocks dealt out along a tree, then passed round a ring; for long messages",
    .cost = "ceil(log2 n) + n-1 messages; about twice the length on the longest path",
    .source = "Barnett, Shuler, van de Geijn et al.: Interprocessor Collective Communication Library (1994)",
    .lines = 1, .run = run);

} // namespace algorithms
