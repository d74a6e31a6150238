// bcast/oc_tree with puts, gets and flags.
#include "algorithms/bcast/oc_tree.hpp"

#include <memory>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/message.hpp"
#include "distance_flags.hpp"
#include "mpb_copy.hpp"
#include "runner.hpp"

namespace algorithms {
namespace {

struct State {
  State(int ranks, int fan_out) : shape(ranks, fan_out) {}

  oc_tree::Shape shape;
  DistanceFlags told, got; ///< by half of the buffer
  DistanceFlags heard;     ///< the end of `told`: it may be used by the next broadcast
};

std::unique_ptr<State> state;

int index_of(const std::vector<int>& distances, int distance) {
  return static_cast<int>(std::lower_bound(distances.begin(), distances.end(), distance) - distances.begin());
}

int fan_out_of(const rockcreek_options& options) {
  return options.fan_out > 0 ? options.fan_out : oc_tree::default_fan_out;
}

class Run {
 public:
  Run(State& flags, const Broadcast& call, std::size_t chunk)
      : state_(flags),
        call_(call),
        ranks_(RCCE_num_ues()),
        self_(virtual_rank(RCCE_ue(), call.root, ranks_)),
        node_(flags.shape.node(self_)),
        cut_{call.bytes, chunk} {}

  void all() {
    const int chunks = cut_.parts();
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const int half = chunk % 2;
      t_vcharp buffer = RCCE_buff_ptr + static_cast<std::size_t>(half) * cut_.part_bytes;
      char* memory = call_.buffer + cut_.offset(chunk);
      const std::size_t bytes = cut_.length(chunk);
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
    return index_of(distances, self_ - v);
  }
  [[nodiscard]] int to(const std::vector<int>& distances, int v) const {
    return index_of(distances, v - self_);
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
  const Broadcast& call_;
  int ranks_, self_;
  const oc_tree::Node& node_;
  Cut cut_;
};

} // namespace

int prepare_oc_tree(const rockcreek_options& options) {
  auto fresh = std::make_unique<State>(RCCE_num_ues(), fan_out_of(options));
  int error = fresh->told.allocate(2, fresh->shape.teller_distances().size());
  if (error == RCCE_SUCCESS) error = fresh->got.allocate(2, fresh->shape.parent_distances().size());
  if (error == RCCE_SUCCESS) error = fresh->heard.allocate(1, fresh->shape.teller_distances().size());
  if (error != RCCE_SUCCESS) return error;
  state = std::move(fresh);
  return RCCE_barrier(&RCCE_COMM_WORLD);
}

int bcast_oc_tree(const Broadcast& call) {
  if (call.bytes == 0 || RCCE_num_ues() == 1) return RCCE_SUCCESS;
  const std::size_t half = RCCE_chunk / 2 / RCCE_LINE_SIZE * RCCE_LINE_SIZE;
  const std::size_t part = (call.part_bytes() + RCCE_LINE_SIZE - 1) / RCCE_LINE_SIZE * RCCE_LINE_SIZE;
  Run(*state, call, std::min(half, part)).all();
  return RCCE_SUCCESS;
}

} // namespace algorithms
