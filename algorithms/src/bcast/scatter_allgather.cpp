// bcast/scatter_allgather with RCCE_send and RCCE_recv.
#include "algorithms/bcast/scatter_allgather.hpp"

#include <RCCE.h>

#include "algorithms/message.hpp"
#include "runner.hpp"

namespace algorithms {
namespace {

class ScatterAllgather {
 public:
  explicit ScatterAllgather(const Broadcast& call)
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

  const Broadcast& call_;
  int ranks_;
  int self_; ///< virtual
  scatter_allgather::Shape shape_;
  int error_ = RCCE_SUCCESS;
};

} // namespace

int bcast_scatter_allgather(const Broadcast& call) {
  ScatterAllgather run(call);
  run.scatter();
  run.allgather();
  return run.error();
}

} // namespace algorithms
