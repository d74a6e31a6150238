// SPDX-License-Identifier: Apache-2.0
// alltoall/bruck
//
// Idea: every rank keeps its blocks in slots, by how far their targets are. In round k it packs all slots
// whose number has bit k, sends them to the rank 2^k behind it, and fills the slots with what it gets from
// the rank 2^k before it. After the last round slot i holds what the rank i before has for this one.
//
// n = 4; the slots of rank 0 (ab: from a to b):
//
//     before     00 01 02 03
//     round 0    00 30 02 32     slots 1, 3: 0->1, 3->0
//     round 1    00 30 20 10     slots 2, 3: 0->2, 2->0
//
// Cost: ceil(log2 n) rounds of two messages of about n/2 blocks; the copies that pack and unpack them.
//
// Hops: partners are 1, 2, 4 ... ranks apart.
//
// Restrictions: none; any n. Messages of no bytes are left out.
//
// Buffers and flags: those of RCCE_send; three vectors of memory.
//
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby: Efficient Algorithms for All-to-All Communications in
// Multiport Message-Passing Systems (1997), section 3; as in Thakur, Rabenseifner, Gropp (2005), section 4.3.
#include "on_messages/blocks.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

/// One exchange on one UE.
class Bruck {
 public:
  explicit Bruck(const rockcreek_call& call)
      : call_(call), blocks_(call), stride_(blocks_.bytes(blocks_.ranks() - 1)) {}

  int all() {
    const auto ranks = static_cast<std::size_t>(blocks_.ranks());
    const std::size_t area = (ranks * stride_ + page_bytes) / page_bytes * page_bytes;
    slots_ = partial_results(3 * area);
    if (slots_ == nullptr)
      return rockcreek_refuse("%s: no memory for three times %zu bytes", call_.algorithm->name, area);
    packed_ = slots_ + area, incoming_ = packed_ + area;
    const int self = blocks_.self();
    for (int i = 0; i < blocks_.ranks(); ++i)
      rcce_copy(slot(i), call_.source + blocks_.offset(self + i), blocks_.bytes(self + i));
    for (int bit = 1; bit < blocks_.ranks(); bit *= 2)
      if (const int error = round(bit)) return error;
    const std::size_t own = blocks_.bytes(self);
    for (int i = 0; i < blocks_.ranks(); ++i)
      rcce_copy(call_.buffer + static_cast<std::size_t>(blocks_.wrapped(self - i)) * own, slot(i), own);
    return RCCE_SUCCESS;
  }

 private:
  [[nodiscard]] char* slot(int i) const { return slots_ + static_cast<std::size_t>(i) * stride_; }

  /// Bytes in a slot of a rank before the round of that bit: the block has come from the rank as many before
  /// as the slot's lower bits say, and goes to the rank as many behind that one as the slot's number.
  [[nodiscard]] std::size_t bytes_in(int rank, int i, int bit) const {
    return blocks_.bytes(rank - i % bit + i);
  }

  int round(int bit) {
    const int self = blocks_.self();
    std::size_t given = 0, taken = 0;
    const auto each = [&](auto&& visit) {
      for (int i = bit; i < blocks_.ranks(); ++i)
        if ((i & bit) != 0) visit(i);
    };
    each([&](int i) {
      const std::size_t bytes = bytes_in(self, i, bit);
      rcce_copy(packed_ + given, slot(i), bytes);
      given += bytes;
      taken += bytes_in(self - bit, i, bit);
    });
    if (const int error = shift(blocks_, bit, {packed_, given}, {incoming_, taken})) return error;
    taken = 0;
    each([&](int i) {
      const std::size_t bytes = bytes_in(self - bit, i, bit);
      rcce_copy(slot(i), incoming_ + taken, bytes);
      taken += bytes;
    });
    return RCCE_SUCCESS;
  }

  const rockcreek_call& call_;
  const Blocks blocks_;
  const std::size_t stride_; ///< from slot to slot: the longest block
  char *slots_ = nullptr, *packed_ = nullptr, *incoming_ = nullptr;
};

int run(const rockcreek_call* call) {
  return Bruck(*call).all();
}

} // namespace

ROCKCREEK_ALGORITHM(
    alltoall_bruck, .name = "alltoall/bruck", .operation = ROCKCREEK_ALLTOALL,
    .summary = "half of the blocks go a power of two of ranks on in each round; for short blocks",
    .cost = "ceil(log2 n) rounds of two messages of about n/2 blocks",
    .source = "Bruck, Ho, Kipnis, Upfal, Weathersby: Efficient Algorithms for All-to-All Communications in "
              "Multiport Message-Passing Systems (1997)",
    .lines = 1, .run = run);

} // namespace algorithms
