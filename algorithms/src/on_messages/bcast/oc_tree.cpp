// SPDX-License-Identifier: Apache-2.0
// bcast/oc_tree
//
// Idea: a tree of one-sided gets. Every rank with children keeps a chunk in its MPB until all of them have
// got it from there into theirs; two buffers let the next chunk come in meanwhile. Children are told by a
// binary tree of flags among themselves, so that a parent sets two flags a chunk and not k.
//
// n = 7, k = 3 (virtual ranks; the root is 0), drawn for one chunk:
//
//     get     1 <- 0   3 <- 0   5 <- 0      then   2 <- 1   4 <- 3   6 <- 5
//     told    1 by 0   3 by 0   5 by 1             2 by 1   4 by 3   6 by 5
//
// Cost for m chunks of c lines: (m + depth - 1) times a get from MPB to MPB and a get from MPB to memory of c
// lines, since one core does both for every chunk; depth = about log_k n. An MPB is read by k others at once.
// Hops: a parent leads neighbouring ranks.
//
// Restrictions: none; any n, any root, any k (chosen when prepared).
//
// Buffers and flags: two chunks of the payload area on every rank; per distance in the tree two flags for
// announcements, two for receipts, one for the announcements' end.
//
// As published: leaves, too, go through their own MPB. (The published throughput, 34 to 36 MB/s, is the same
// for k = 2, 7 and 47 and is that of both gets; leaves that got straight into memory would have made k = 47
// half as fast again. Simulated here: 35 MB/s for 1,900,000 bytes.) Different: ranks are numbered so that
// children lead ranges, which leaves few distances, whose flags have one writer each, and the flags for the
// end let broadcasts from different roots follow each other.
//
// Source: Petrovic, Shahmirzadi, Ropars, Schiper: High-performance RMA-based broadcast on the Intel SCC, SPAA
// 2012.
#include <memory>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/message.hpp"
#include "algorithms/shapes/oc_tree.hpp"
#include "on_messages/distance_flags.hpp"
#include "on_messages/fan_out.hpp"
#include "on_messages/mpb_copy.hpp"

namespace algorithms {
namespace {

struct State {
  State(int ranks, int fan_out) : shape(ranks, fan_out) {}

  oc_tree::Shape shape;
  DistanceFlags told, got; ///< by half of the buffer
  DistanceFlags heard;     ///< the end of `told`: it may be used by the next broadcast
};

std::unique_ptr<State> state;

class Run {
 public:
  Run(State& flags, const rockcreek_call& call, std::size_t chunk)
      : state_(flags),
        call_(call),
        ranks_(RCCE_num_ues()),
        self_(virtual_rank(RCCE_ue(), call.root, ranks_)),
        node_(flags.shape.node(self_)),
        segments_{call.bytes, chunk} {}

  void all() {
    const int chunks = segments_.segments();
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const int half = chunk % 2;
      t_vcharp buffer = RCCE_buff_ptr + static_cast<std::size_t>(half) * segments_.segment_bytes;
      char* memory = call_.buffer + segments_.offset(chunk);
      const std::size_t bytes = segments_.length(chunk);
      if (self_ != 0) {
        state_.told.wait(half, from(state_.shape.teller_distances(), node_.teller));
        tell(half, true);
      }
      if (chunk >= 2) await_children(half);
      if (self_ == 0) {
        put(buffer, memory, bytes, RCCE_ue());
        tell(half, false);
      } else {
        get(buffer, buffer, bytes, real(node_.parent));
        state_.got.signal(half, from(state_.shape.parent_distances(), node_.parent), real(node_.parent));
        tell(half, false);
        get(memory, buffer, bytes, RCCE_ue());
      }
    }
    for (int chunk = std::max(0, chunks - 2); chunk < chunks; ++chunk) await_children(chunk % 2);
    if (node_.teller != node_.parent)
      state_.heard.signal(0, from(state_.shape.teller_distances(), node_.teller), real(node_.teller));
    for (std::size_t i = 0; i < node_.tells.size(); ++i)
      if (node_.tells_sibling[i]) state_.heard.wait(0, to(state_.shape.teller_distances(), node_.tells[i]));
  }

 private:
  [[nodiscard]] int real(int v) const { return real_rank(v, call_.root, ranks_); }
  [[nodiscard]] int from(const std::vector<int>& distances, int v) const {
    return oc_tree::index_of(distances, self_ - v);
  }
  [[nodiscard]] int to(const std::vector<int>& distances, int v) const {
    return oc_tree::index_of(distances, v - self_);
  }

  void tell(int half, bool siblings) {
    for (std::size_t i = 0; i < node_.tells.size(); ++i)
      if (node_.tells_sibling[i] == siblings)
        state_.told.signal(half, to(state_.shape.teller_distances(), node_.tells[i]), real(node_.tells[i]));
  }

  void await_children(int half) {
    for (const int child : node_.children) state_.got.wait(half, to(state_.shape.parent_distances(), child));
  }

  State& state_;
  const rockcreek_call& call_;
  int ranks_, self_;
  const oc_tree::Node node_;
  Segmentation segments_;
};

int prepare(const rockcreek_call* call) {
  auto fresh = std::make_unique<State>(RCCE_num_ues(), fan_out_of(*call));
  int error = fresh->told.allocate(2, fresh->shape.teller_distances().size());
  if (error == RCCE_SUCCESS) error = fresh->got.allocate(2, fresh->shape.parent_distances().size());
  if (error == RCCE_SUCCESS) error = fresh->heard.allocate(1, fresh->shape.teller_distances().size());
  if (error != RCCE_SUCCESS) return error;
  state = std::move(fresh);
  return RCCE_barrier(&RCCE_COMM_WORLD);
}

int run(const rockcreek_call* call) {
  if (call->bytes == 0 || RCCE_num_ues() == 1) return RCCE_SUCCESS;
  const std::size_t half = RCCE_chunk / 2 / RCCE_LINE_SIZE * RCCE_LINE_SIZE;
  const auto asked = static_cast<std::size_t>(rockcreek_value(call, "part"));
  const std::size_t part = (asked + RCCE_LINE_SIZE - 1) / RCCE_LINE_SIZE * RCCE_LINE_SIZE;
  Run(*state, *call, std::min(half, part)).all();
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    bcast_oc_tree, .name = "bcast/oc_tree", .operation = ROCKCREEK_BCAST,
    .summary = "k-ary tree of one-sided gets from MPB to MPB, double-buffered; low latency at any length",
    .cost = "(m + depth - 1) times two gets of a chunk for m chunks; depth is about log_k n",
    .source = "Petrovic, Shahmirzadi, Ropars, Schiper: High-performance RMA-based broadcast on the Intel SCC "
              "(SPAA 2012)",
    .parameters = {{.name = "part",
                    .unit = "bytes",
                    .least = 1,
                    .most = ROCKCREEK_MOST_BYTES,
                    .default_value = 3072,
                    .tried = "256-4096:x2",
                    .help = "bytes of one chunk, half of the buffer at most"},
                   {.name = "fan_out",
                    .least = 1,
                    .most = ROCKCREEK_MOST_RANKS,
                    .default_value = oc_tree::default_fan_out,
                    .tried = "2-8:1",
                    .fixed = 1,
                    .help = "children of a node"}},
    .needs = ROCKCREEK_OWN_COPIES, .lines = 2, .prepare = prepare, .run = run);

} // namespace algorithms
