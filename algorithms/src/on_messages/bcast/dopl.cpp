// SPDX-License-Identifier: Apache-2.0
// bcast/dopl: dimension-order pipelined broadcast
//
// Idea: in each round all lines of one dimension of the mesh are pipelines at once, and the dimension
// changes every round. The source puts a new part in each round; a head that lacks an old part gets it
// back from the end of its line (wrap).
//
// 3 rows x 4 columns, 3 parts, source (0,0); what each line carries:
//
//     round 0, rows       row 0: part 0             rows 1, 2: idle
//     round 1, columns    column 0: part 1          columns 1-3: part 0
//     round 2, rows       row 0: part 2             rows 1, 2: part 1, and part 0 back to their heads
//     round 3, columns    column 0: part 2 (again)  columns 1-3: part 2, and part 1 back to their heads
//
// Cost: K + d - 1 rounds for K parts on d dimensions longer than 1; a round is a pipeline of L nodes and c
// segments, that is L + c - 2 segment times after the first; (nodes-1)*K part messages, none superfluous; at
// most one message in and one out per node and round (`neighbour`: two out).
//
// Hops by line order:
//
//     ring       c, c+1, ..., L-1, 0, ..., c-1 from the source's coordinate c (c = L-1: downwards): pipe 1
//                and wrap L-1 for a source at an end of the line; otherwise wrap 1 and one pipe of L-1
//     folded     the cycle 0, 2, 4, ..., 5, 3, 1 from c: at most 2, wrap included
//     neighbour  the head stays in the middle and feeds both arms; the wrap comes from its direct
//                neighbour in the shorter arm: always 1
//
// No directed mesh link is used twice in a round.
//
// With iRCCE's non-blocking calls: in a round everybody posts all its receives, the wrap and, where it heads
// a line, the segments of its part; a segment that has arrived is sent on at once. The round ends when all of
// that is done.
//
// Restrictions: the ranks fill a mesh (core_mesh.hpp; a prime number is a single line); any root.
//
// Buffers and flags: those of iRCCE_isend and iRCCE_irecv; a request per segment of a part.
//
// Source: the SCC broadcast thesis (its chapter 6), for a source in a corner and two dimensions. Any root,
// any number of dimensions, `folded` and `neighbour` are additions; after Watts, van de Geijn: A Pipelined
// Broadcast for Multidimensional Meshes (1995) in kind.
#include <deque>
#include <string>
#include <vector>

#include <iRCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/core_mesh.hpp"
#include "algorithms/shapes/dopl.hpp"
#include "algorithms/shapes/message.hpp"

namespace algorithms {
namespace {

class Dopl {
 public:
  Dopl(const rockcreek_call& call, CoreMesh mesh, dopl::LineOrder order)
      : call_(call),
        mesh_(mesh),
        parts_{call.bytes, static_cast<std::size_t>(rockcreek_value(&call, "part"))},
        pipe_bytes_(static_cast<std::size_t>(rockcreek_value(&call, "pipe"))),
        shape_({mesh.columns, mesh.rows}, node(call.root), parts_.segments(), order),
        self_(node(RCCE_ue())) {}

  int run() {
    for (int round = 0; round < shape_.rounds() && error_ == RCCE_SUCCESS; ++round) this->round(round);
    return error_;
  }

 private:
  /// The shape counts nodes row by row.
  [[nodiscard]] int node(int rank) const { return mesh_.row(rank) * mesh_.columns + mesh_.column(rank); }
  [[nodiscard]] int rank(int node) const { return mesh_.rank(node / mesh_.columns, node % mesh_.columns); }

  void round(int round) {
    const dopl::Turn turn = shape_.turn(self_, round);
    iRCCE_init_wait_list(&list_);
    outstanding_ = 0;
    sends_.clear();
    if (turn.wrap_from != dopl::none) {
      post_receive(wrap_, parts_.offset(turn.wrap_part), parts_.length(turn.wrap_part), turn.wrap_from);
    }
    if (turn.wrap_to != dopl::none)
      post_send(parts_.offset(turn.wrap_part), parts_.length(turn.wrap_part), turn.wrap_to);
    if (turn.pipe_part != dopl::none) start_pipe(turn);
    while (outstanding_ > 0 && error_ == RCCE_SUCCESS) {
      iRCCE_SEND_REQUEST* sent = nullptr;
      iRCCE_RECV_REQUEST* received = nullptr;
      error_ = iRCCE_wait_any(&list_, &sent, &received);
      --outstanding_;
      if (received != nullptr && received != &wrap_)
        pass_on(turn, static_cast<int>(received - receives_.data()));
    }
  }

  void start_pipe(const dopl::Turn& turn) {
    const Segmentation segments{parts_.length(turn.pipe_part), pipe_bytes_};
    if (turn.pipe_from != dopl::none) {
      receives_.resize(static_cast<std::size_t>(segments.segments()));
      for (int segment = 0; segment < segments.segments(); ++segment)
        post_receive(receives_[static_cast<std::size_t>(segment)],
                     parts_.offset(turn.pipe_part) + segments.offset(segment), segments.length(segment),
                     turn.pipe_from);
    } else {
      for (int segment = 0; segment < segments.segments(); ++segment) pass_on(turn, segment);
    }
  }

  void pass_on(const dopl::Turn& turn, int segment) {
    const Segmentation segments{parts_.length(turn.pipe_part), pipe_bytes_};
    for (const int to : turn.pipe_to)
      if (to != dopl::none)
        post_send(parts_.offset(turn.pipe_part) + segments.offset(segment), segments.length(segment), to);
  }

  void post_send(std::size_t offset, std::size_t length, int to) {
    iRCCE_SEND_REQUEST& request = sends_.emplace_back();
    const int state = iRCCE_isend(call_.buffer + offset, static_cast<ssize_t>(length), rank(to), &request);
    if (state == RCCE_ERROR_ID) error_ = state;
    iRCCE_add_to_wait_list(&list_, &request, nullptr);
    ++outstanding_;
  }
  void post_receive(iRCCE_RECV_REQUEST& request, std::size_t offset, std::size_t length, int from) {
    const int state = iRCCE_irecv(call_.buffer + offset, static_cast<ssize_t>(length), rank(from), &request);
    if (state == RCCE_ERROR_ID) error_ = state;
    iRCCE_add_to_wait_list(&list_, nullptr, &request);
    ++outstanding_;
  }

  const rockcreek_call& call_;
  CoreMesh mesh_;
  Segmentation parts_;
  std::size_t pipe_bytes_;
  dopl::Shape shape_;
  int self_;
  iRCCE_WAIT_LIST list_{};
  std::vector<iRCCE_RECV_REQUEST> receives_; ///< segments of the part that comes down the line
  std::deque<iRCCE_SEND_REQUEST> sends_;     ///< sends of this round; requests must not move
  iRCCE_RECV_REQUEST wrap_{};
  int outstanding_ = 0;
  int error_ = RCCE_SUCCESS;
};

int run(const rockcreek_call* call) {
  const auto rows = static_cast<int>(rockcreek_value(call, "rows"));
  const auto columns = static_cast<int>(rockcreek_value(call, "columns"));
  const CoreMesh mesh = core_mesh(RCCE_num_ues(), rows, columns);
  if (mesh.nodes() != RCCE_num_ues())
    return rockcreek_refuse(
        "bcast/dopl: %d UEs do not fill a mesh of %s%s%s; give rows and columns whose product is the "
        "number of UEs, or neither",
        RCCE_num_ues(), rows > 0 ? (std::to_string(rows) + " rows").c_str() : "",
        rows > 0 && columns > 0 ? " x " : "",
        columns > 0 ? (std::to_string(columns) + " columns").c_str() : "");
  return Dopl(*call, mesh, static_cast<dopl::LineOrder>(rockcreek_value(call, "line_order"))).run();
}

} // namespace

// Part and segment are those of the measurements of the SCC broadcast thesis.
ROCKCREEK_ALGORITHM(
    bcast_dopl, .name = "bcast/dopl", .operation = ROCKCREEK_BCAST,
    .summary = "lines of the mesh as pipelines, the dimension changing every round; for long messages",
    .cost = "K + d - 1 rounds for K parts on d dimensions; a round is a pipeline of L + c - 2 segment times "
            "after the first, for L nodes and c segments",
    .source = "the SCC broadcast thesis, DOPL",
    .parameters = {{.name = "part",
                    .unit = "bytes",
                    .least = 1,
                    .most = ROCKCREEK_MOST_BYTES,
                    .default_value = 8192,
                    .tried = "256-524288:x2",
                    .help = "bytes of one part of the message"},
                   {.name = "pipe",
                    .unit = "bytes",
                    .least = 1,
                    .most = ROCKCREEK_MOST_BYTES,
                    .default_value = 2048,
                    .tried = "256-8192:x2",
                    .help = "bytes of one segment of a part inside a line"},
                   {.name = "rows",
                    .least = 1,
                    .most = ROCKCREEK_MOST_RANKS,
                    .help = "rows of the core mesh; found from the number of UEs"},
                   {.name = "columns",
                    .least = 1,
                    .most = ROCKCREEK_MOST_RANKS,
                    .help = "columns of the core mesh; found from the number of UEs"},
                   {.name = "line_order",
                    .words = "ring folded neighbour",
                    .help = "how a line runs through its cores"}},
    .needs = ROCKCREEK_NEEDS_MESH | ROCKCREEK_USES_REQUESTS | ROCKCREEK_OWN_COPIES, .lines = 1, .run = run);

} // namespace algorithms
