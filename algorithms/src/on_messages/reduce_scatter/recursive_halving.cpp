// SPDX-License-Identifier: Apache-2.0
// reduce_scatter/recursive_halving
//
// Idea: in each round everybody exchanges with the rank across one bit, the highest first: each sends the
// blocks of the other's half, and combines those of its own half, until its own are left. Ranks beyond a
// power of two hand their operand to a neighbour first, which gives them their block in the end.
//
// n = 5 (0 stays out, 1 is its deputy; a <-> b : the blocks that a and b keep):
//
//     before     0->1                                       1 has (0 op 1)
//     round 0    1<->3 : 012,34       2<->4 : 012,34
//     round 1    1<->2 : 01,2         3<->4 : 3,4
//     after      1->0: block 0
//
// Cost: floor(log2 n) rounds of two messages of half of the vector, a quarter ..., each with its combining;
// for other n than powers of two a message of the vector with its combining, and one of a block, more.
//
// Hops: partners are a power of two of places apart, the longest messages between the farthest.
//
// Restrictions: none; any n. Order of operands: as the rounds join them; the same in every run.
//
// Buffers and flags: those of RCCE_send; two vectors of memory.
//
// Source: Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005),
// section 4.4.
#include "algorithms/shapes/recursive_doubling.hpp"
#include "on_messages/blocks.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

/// One call on one UE that does not stay out.
class Halving {
 public:
  explicit Halving(const rockcreek_call& call)
      : call_(call), own_(call), blocks_(call), shape_(blocks_.ranks()) {}

  int all() {
    const int self = blocks_.self();
    if (const int error = own_.prepare_partial(2)) return error;
    own_.copy(own_.partial(0), own_.source());
    if (shape_.is_deputy(self))
      if (const int error = own_.take(own_.partial(0), own_.partial(1), self - 1)) return error;
    int begin = 0, end = shape_.places();
    for (int round = shape_.rounds() - 1; round >= 0; --round) {
      const int middle = begin + (end - begin) / 2, partner = shape_.partner(self, round);
      const bool lower = shape_.place_of(self) < middle;
      if (const int error = lower ? exchange(begin, middle, middle, end, partner)
                                  : exchange(middle, end, begin, middle, partner))
        return error;
      (lower ? end : begin) = middle;
    }
    const auto bytes = [this](int rank) { return own_.partial(0) + blocks_.offset(rank); };
    if (shape_.is_deputy(self))
      if (const int error = send_bytes(bytes(self - 1), blocks_.bytes(self - 1), self - 1)) return error;
    rcce_copy(call_.buffer, bytes(self), blocks_.bytes(self));
    return RCCE_SUCCESS;
  }

 private:
  /// Elements before the blocks of a place.
  [[nodiscard]] std::size_t border(int place) const {
    return blocks_.first_element(shape_.first_rank(place));
  }

  /// Keeps the blocks of the first two places' range, and gives those of the other.
  int exchange(int kept_begin, int kept_end, int given_begin, int given_end, int partner) {
    const std::size_t from = border(kept_begin), to = border(kept_end);
    char *const sum = own_.partial(0), *const incoming = own_.partial(1);
    const auto give = [&] { return own_.send(sum, border(given_begin), border(given_end), partner); };
    const bool first = blocks_.self() < partner;
    if (first)
      if (const int error = give()) return error;
    if (const int error = own_.receive(incoming, from, to, partner)) return error;
    if (!first)
      if (const int error = give()) return error;
    return own_.combine(sum, incoming, from, to);
  }

  const rockcreek_call& call_;
  Reduction own_;
  const Blocks blocks_;
  const recursive_doubling::Shape shape_;
};

int run(const rockcreek_call* call) {
  const Blocks blocks(*call);
  const int self = blocks.self();
  if (!recursive_doubling::Shape(blocks.ranks()).stays_out(self)) return Halving(*call).all();
  if (const int error = send_bytes(call->source, call->bytes, self + 1)) return error;
  return receive_bytes(call->buffer, blocks.bytes(self), self + 1);
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_scatter_recursive_halving, .name = "reduce_scatter/recursive_halving",
    .operation = ROCKCREEK_REDUCE_SCATTER,
    .summary = "everybody halves with the rank across one bit what both still have to combine",
    .cost =
        "floor(log2 n) exchanges of half of the vector, a quarter ...; two messages more for n that is no "
        "power of two",
    .source =
        "Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH (2005)",
    .needs = ROCKCREEK_FIXED_ORDER, .lines = 1, .run = run);

} // namespace algorithms
