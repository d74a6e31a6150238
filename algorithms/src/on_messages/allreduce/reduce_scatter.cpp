// SPDX-License-Identifier: Apache-2.0
// allreduce/reduce_scatter
//
// Idea: in each round everybody halves with the rank across one bit what both have: each sends the half that
// the other goes on with, and combines the half that it keeps. In the end everybody has the result of a
// segment, and the same exchanges backwards bring all segments to all. Ranks beyond a power of two hand their
// operand to a neighbour first, and have the result from it in the end.
//
// n = 5, 4 elements (0 stays out, 1 is its deputy; a <-> b : what a and b keep):
//
//     before     0->1                                     1 has (0 op 1)
//     round 0    1<->2 : 01,23        3<->4 : 01,23
//     round 1    1<->3 : 0,1          2<->4 : 2,3         ((0 op 1) op 2) op (3 op 4), an element each
//     back 1     1<->3 : 01,01        2<->4 : 23,23
//     back 0     1<->2 : 0123,0123    3<->4 : 0123,0123
//     after      1->0
//
// Cost for V elements: 2 * floor(log2 n) exchanges of V/2, V/4 ... and back, V * (1 - 1/n) elements combined;
// for other n than powers of two two messages and one combining of the whole vector more. With blocking calls
// the two messages of an exchange follow each other.
//
// Hops: partners are 1, 2, 4 ... ranks apart, the longest messages between the nearest.
//
// Restrictions: none; short vectors leave some ranks no segment. Order of operands: ascending, and the same
// at all ranks, so all have the same bits.
//
// Buffers and flags: those of RCCE_send; two vectors of memory.
//
// Source: Rabenseifner: Optimization of Collective Reduction Operations (ICCS 2004); as in Thakur,
// Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005), section 4.5.
#include <utility>

#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/recursive_doubling.hpp"
#include "algorithms/shapes/recursive_halving.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

using recursive_halving::Range;

constexpr std::size_t line_bytes = 32; // of the SCC's caches and buffers

/// One reduction on one UE that does not stay out.
class Run {
 public:
  explicit Run(const rockcreek_call& call)
      : call_(call), own_(call), shape_(RCCE_num_ues()), self_(RCCE_ue()) {}

  int all() {
    if (const int error = own_.prepare_partial(2)) return error;
    result_ = own_.partial(0), incoming_ = own_.partial(1);
    own_.copy(result_, own_.source());
    if (shape_.is_deputy(self_))
      if (const int error = take({0, call_.count}, self_ - 1)) return error;
    if (const int error = round(0, {0, call_.count})) return error;
    return shape_.is_deputy(self_) ? own_.send(call_.buffer, self_ - 1) : RCCE_SUCCESS;
  }

 private:
  /// The exchanges from this round on, of what both partners have, there and back: afterwards the range is in
  /// the caller's buffer.
  int round(int number, Range range) {
    if (number == shape_.rounds()) return deliver(range);
    const int partner = shape_.partner(self_, number);
    const std::size_t granule = call_.bytes > 0 ? line_bytes * call_.count / call_.bytes : 1;
    Range kept = lower_half(range, granule), given = upper_half(range, granule);
    if (self_ > partner) std::swap(kept, given);
    const auto send = [&](const char* vector, Range what) {
      return own_.send(vector, what.begin, what.end, partner);
    };
    int error = RCCE_SUCCESS;
    if (self_ < partner) {
      error = send(result_, given);
      if (error == RCCE_SUCCESS) error = take(kept, partner);
    } else {
      error = own_.receive(incoming_, kept.begin, kept.end, partner);
      if (error == RCCE_SUCCESS) error = send(result_, given);
      if (error == RCCE_SUCCESS) error = combine(kept, partner);
    }
    if (error == RCCE_SUCCESS) error = round(number + 1, kept);
    const auto receive = [&] { return own_.receive(call_.buffer, given.begin, given.end, partner); };
    if (error == RCCE_SUCCESS) error = self_ < partner ? send(call_.buffer, kept) : receive();
    if (error == RCCE_SUCCESS) error = self_ < partner ? receive() : send(call_.buffer, kept);
    return error;
  }

  int take(Range range, int rank) {
    const int error = own_.receive(incoming_, range.begin, range.end, rank);
    return error != RCCE_SUCCESS ? error : combine(range, rank);
  }

  /// Combines with the lower rank's bytes on the left, wherever they lie. The result lies where the left
  /// operand was.
  int combine(Range range, int rank) {
    if (rank < self_) std::swap(result_, incoming_);
    return own_.combine(result_, incoming_, range.begin, range.end);
  }

  int deliver(Range range) {
    own_.copy(call_.buffer, result_, range.begin, range.end);
    return RCCE_SUCCESS;
  }

  const rockcreek_call& call_;
  Reduction own_;
  recursive_doubling::Shape shape_;
  int self_;
  char *result_ = nullptr, *incoming_ = nullptr;
};

int run(const rockcreek_call* call) {
  const int self = RCCE_ue();
  if (!recursive_doubling::Shape(RCCE_num_ues()).stays_out(self)) return Run(*call).all();
  const Reduction own(*call);
  if (const int error = own.send(own.source(), self + 1)) return error;
  return own.receive(call->buffer, self + 1);
}

} // namespace

ROCKCREEK_ALGORITHM(
    allreduce_reduce_scatter, .name = "allreduce/reduce_scatter", .operation = ROCKCREEK_ALLREDUCE,
    .summary =
        "the vector is halved with the rank across one bit in each round, and put together again on the "
        "way back; for long vectors",
    .cost = "2 floor(log2 n) exchanges of V/2, V/4 ... and back, V(1-1/n) elements combined; for n that is "
            "no power of two two messages and a combining of V more",
    .source = "Rabenseifner: Optimization of Collective Reduction Operations (ICCS 2004)",
    .needs = ROCKCREEK_FIXED_ORDER, .lines = 1, .run = run);

} // namespace algorithms
