// SPDX-License-Identifier: Apache-2.0
// reduce/direct_put
//
// Idea: no messages. Every rank but the root owns a block of each chunk of the vector. All put their parts
// into the owners' MPBs, as in reduce_scatter/direct_put, and the owners combine them. While they do so, the
// root gets results of the chunk before out of its own MPB, into which the owners have put them: in each turn
// as many as there is room for.
//
// n = 3, root 0; two chunks of blocks a, b and c, d of ranks 1, 2:
//
//     meet
//     put      0 -> 1:c 2:d    1 -> 2:d    2 -> 1:c
//     meet
//     combine                  1: c        2: d
//     meet
//     put      0 -> 1:a 2:b    1 -> 2:b    2 -> 1:a
//     put                      1 -> 0:c    2 -> 0:d
//     meet
//     get      0: c d          combine 1: a        2: b
//     meet
//     put                      1 -> 0:a    2 -> 0:b
//     meet
//     get      0: a b
//
// Cost: n-1 puts of a part of each block and n-1 combinings of it; beside them the root's gets of the whole
// vector. Two meetings of ceil(log_2 n) flags for as many blocks as an MPB has room for.
//
// Hops: none; all gets are from the own MPB.
//
// Restrictions: none; any n, any root. Order of operands of a block: its owner's, then the others in an order
// that only n, owner, root and the length of the vector decide.
//
// Buffers and flags: the payload area of every MPB; the flags of reduce_scatter/direct_put; three pieces of
// memory, each of a block at least.
//
// Source: this project; reduce-scatter, then gather: Rabenseifner, Optimization of Collective Reduction
// Operations (ICCS 2004).
#include <algorithm>
#include <array>
#include <cstddef>

#include "on_messages/reduced_blocks.hpp"

namespace algorithms {
namespace {

int prepare(const rockcreek_call* /*call*/) {
  return prepare_direct_put();
}

/// One call on one UE. 2 ranks at least, some elements.
class Chunks {
 public:
  explicit Chunks(const rockcreek_call& call)
      : call_(call),
        owners_(static_cast<std::size_t>(RCCE_num_ues() - 1)),
        element_(call.bytes / call.count) {
    const auto wanted = static_cast<std::size_t>(rockcreek_value(&call, "block"));
    const std::size_t block = std::min(wanted, DirectPut::longest_short()) / element_;
    if (block == 0) return;
    chunks_ = (call.count + block * owners_ - 1) / (block * owners_);
    length_ = (call.count + chunks_ - 1) / chunks_;
  }

  int all() {
    if (chunks_ == 0)
      return rockcreek_refuse(
          "%s: %zu bytes are left for messages in an MPB, which is too few; prepare fewer "
          "algorithms",
          call_.algorithm->name, static_cast<std::size_t>(RCCE_chunk));
    const std::size_t block = (length_ + owners_ - 1) / owners_ * element_;
    const std::size_t room = (std::max(block, batch_of_parts) + page_bytes - 1) / page_bytes * page_bytes;
    char* const memory = partial_results(3 * room);
    if (memory == nullptr)
      return rockcreek_refuse("%s: no memory for %zu bytes", call_.algorithm->name, 3 * room);
    sums_ = {memory + room, memory + 2 * room};
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk)
      if (const int error = reduce(chunk, memory)) return error;
    const Slices last(*this, chunks_ - 1);
    for (std::size_t slice = 0; slice < last.count(); ++slice) {
      if (slice > 0 || chunks_ > 1) direct_meetings().meet(); // the root has got the slice before
      last.put(slice);
      direct_meetings().meet();
      last.get(slice);
    }
    return RCCE_SUCCESS;
  }

 private:
  /// Results of a chunk on their way to the root, as many owners' at a time as there is room for in its MPB.
  class Slices {
   public:
    Slices(const Chunks& chunks, std::size_t chunk)
        : chunks_(chunks),
          blocks_(chunks.blocks(chunk)),
          sum_(chunks.sums_[chunk % 2]),
          most_(static_cast<std::size_t>(RCCE_chunk) / blocks_.longest()) {}

    [[nodiscard]] std::size_t count() const { return (chunks_.owners_ + most_ - 1) / most_; }
    /// By an owner of the slice, its result.
    void put(std::size_t slice) const {
      const int self = blocks_.self(), root = chunks_.call_.root;
      const auto owner = static_cast<std::size_t>(self > root ? self - 1 : self);
      const std::size_t bytes = blocks_.bytes(self); // the root has none
      if (bytes > 0 && owner / most_ == slice)
        algorithms::put(RCCE_buff_ptr + (blocks_.offset(self) - begin(slice)), sum_, bytes, root);
    }
    /// By the root.
    void get(std::size_t slice) const {
      const std::size_t bytes = begin(slice + 1) - begin(slice);
      if (blocks_.self() == chunks_.call_.root && bytes > 0)
        algorithms::get(chunks_.call_.buffer + begin(slice), RCCE_buff_ptr, bytes, blocks_.self());
    }

   private:
    /// The place at which the slice begins in the vector.
    [[nodiscard]] std::size_t begin(std::size_t slice) const {
      const auto owner = static_cast<int>(std::min(slice * most_, chunks_.owners_));
      return blocks_.border(owner >= chunks_.call_.root ? owner + 1 : owner);
    }

    const Chunks& chunks_;
    const Blocks blocks_;
    const char* const sum_;
    const std::size_t most_; ///< owners
  };

  /// From the vector's end to its start: a program that has walked through its buffer left the end in its
  /// cache.
  [[nodiscard]] Blocks blocks(std::size_t chunk) const {
    const std::size_t first = (chunks_ - 1 - chunk) * length_;
    return {call_, first, std::min(length_, call_.count - first), call_.root};
  }

  int reduce(std::size_t chunk, char* incoming) {
    const Blocks parts = blocks(chunk);
    char* const sum = sums_[chunk % 2];
    rcce_copy(sum, call_.source + parts.offset(parts.self()), parts.bytes(parts.self()));
    DirectPut exchange(call_, parts, batch_of_parts);
    for (int turn = 0; turn < exchange.turns(); ++turn) {
      const auto slice = static_cast<std::size_t>(turn);
      const auto put_results = [&] {
        if (chunk > 0) Slices(*this, chunk - 1).put(slice);
      };
      if (const int error = exchange.turn(turn, put_results, combine_parts(call_, sum, incoming)))
        return error;
      if (chunk > 0) Slices(*this, chunk - 1).get(slice);
    }
    return RCCE_SUCCESS;
  }

  const rockcreek_call& call_;
  const std::size_t owners_, element_;
  std::size_t chunks_ = 0, length_ = 0; ///< number of chunks, and elements of a chunk
  std::array<char*, 2> sums_{};         ///< sums of the own block of a chunk, used in turn
};

int run(const rockcreek_call* call) {
  if (call->bytes == 0) return RCCE_SUCCESS;
  if (RCCE_num_ues() > 1) return Chunks(*call).all();
  rcce_copy(call->buffer, call->source, call->bytes);
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_direct_put, .name = "reduce/direct_put", .operation = ROCKCREEK_REDUCE,
    .summary = "reduce_scatter/direct_put among all but the root, which gets results meanwhile; no messages",
    .cost = "n-1 puts and combinings of each block; beside them the root's gets; two dissemination barriers "
            "for as many blocks as an MPB has room for",
    .source = "this project; as Rabenseifner: Optimization of Collective Reduction Operations (2004)",
    .parameters = {{.name = "block",
                    .unit = "bytes",
                    .least = 8,
                    .most = ROCKCREEK_MOST_BYTES,
                    .default_value = 128,
                    .tried = "64-1024:x2",
                    .help = "bytes of an owner's block at most; a sixth of the payload area at most"}},
    .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_FIXED_ORDER, .lines = 2, .prepare = prepare, .run = run);

} // namespace algorithms
