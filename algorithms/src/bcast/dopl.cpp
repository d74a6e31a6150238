// bcast/dopl with iRCCE's non-blocking calls. In a round everybody posts all its receives, the wrap and,
// where it heads a line, the pieces of its part; a piece that has arrived is sent on at once. The round ends
// when all of that is done.
#include "algorithms/bcast/dopl.hpp"

#include <deque>
#include <string>
#include <vector>

#include <iRCCE.h>

#include "algorithms/core_mesh.hpp"
#include "algorithms/message.hpp"
#include "runner.hpp"

namespace algorithms {
namespace {

class Dopl {
 public:
  Dopl(const Broadcast& call, CoreMesh mesh, dopl::LineOrder order)
      : call_(call),
        mesh_(mesh),
        cut_{call.bytes, call.part_bytes()},
        shape_({mesh.columns, mesh.rows}, node(call.root), cut_.parts(), order),
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
      post_receive(wrap_, cut_.offset(turn.wrap_part), cut_.length(turn.wrap_part), turn.wrap_from);
    }
    if (turn.wrap_to != dopl::none)
      post_send(cut_.offset(turn.wrap_part), cut_.length(turn.wrap_part), turn.wrap_to);
    if (turn.pipe_part != dopl::none) start_pipe(turn);
    while (outstanding_ > 0 && error_ == RCCE_SUCCESS) {
      iRCCE_SEND_REQUEST* sent = nullptr;
      iRCCE_RECV_REQUEST* received = nullptr;
      error_ = iRCCE_wait_any(&list_, &sent, &received);
      --outstanding_;
      if (received != nullptr && received != &wrap_)
        pass_on(turn, static_cast<int>(received - pieces_.data()));
    }
  }

  void start_pipe(const dopl::Turn& turn) {
    const Cut pieces{cut_.length(turn.pipe_part), call_.pipe_bytes()};
    if (turn.pipe_from != dopl::none) {
      pieces_.resize(static_cast<std::size_t>(pieces.parts()));
      for (int piece = 0; piece < pieces.parts(); ++piece)
        post_receive(pieces_[static_cast<std::size_t>(piece)],
                     cut_.offset(turn.pipe_part) + pieces.offset(piece), pieces.length(piece),
                     turn.pipe_from);
    } else {
      for (int piece = 0; piece < pieces.parts(); ++piece) pass_on(turn, piece);
    }
  }

  void pass_on(const dopl::Turn& turn, int piece) {
    const Cut pieces{cut_.length(turn.pipe_part), call_.pipe_bytes()};
    for (const int to : turn.pipe_to)
      if (to != dopl::none)
        post_send(cut_.offset(turn.pipe_part) + pieces.offset(piece), pieces.length(piece), to);
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

  const Broadcast& call_;
  CoreMesh mesh_;
  Cut cut_;
  dopl::Shape shape_;
  int self_;
  iRCCE_WAIT_LIST list_{};
  std::vector<iRCCE_RECV_REQUEST> pieces_; ///< of the part that comes down the line
  std::deque<iRCCE_SEND_REQUEST> sends_;   ///< of this round; requests have to stay where they are
  iRCCE_RECV_REQUEST wrap_{};
  int outstanding_ = 0;
  int error_ = RCCE_SUCCESS;
};

} // namespace

int bcast_dopl(const Broadcast& call) {
  const rockcreek_options& options = call.options;
  const CoreMesh mesh = core_mesh(RCCE_num_ues(), options.rows, options.columns);
  if (mesh.nodes() != RCCE_num_ues()) {
    return refuse("bcast/dopl: " + std::to_string(RCCE_num_ues()) + " UEs do not fill a mesh of " +
                  (options.rows > 0 ? std::to_string(options.rows) + " rows" : std::string()) +
                  (options.rows > 0 && options.columns > 0 ? " x " : "") +
                  (options.columns > 0 ? std::to_string(options.columns) + " columns" : std::string()) +
                  "; give rows and columns whose product is the number of UEs, or neither");
  }
  dopl::LineOrder order = dopl::LineOrder::ring;
  if (options.line_order != nullptr && !dopl::read_line_order(options.line_order, order)) {
    return refuse(std::string("bcast/dopl: there is no line order '") + options.line_order +
                  "'; there are ring, folded, neighbour");
  }
  return Dopl(call, mesh, order).run();
}

} // namespace algorithms
