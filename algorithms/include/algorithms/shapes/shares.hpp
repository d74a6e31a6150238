// SPDX-License-Identifier: Apache-2.0
// What moves in an operation, by the description of it (operation.h), free of communication: whose bytes go
// where.
#pragma once

#include <algorithm>
#include <cstddef>

#include "algorithms/operations.hpp"

namespace algorithms {

/// Bytes of one rank's source, and where they belong in another rank's target.
struct Transfer {
  std::size_t from = 0, to = 0, bytes = 0;
};

class Shares {
 public:
  /// A call for a vector of `bytes`, of which blocks begin at multiples of `element_bytes`.
  Shares(rockcreek_operation operation, std::size_t bytes, std::size_t element_bytes, int ranks)
      : what_(&operations[operation]), bytes_(bytes), element_(element_bytes), ranks_(ranks) {}

  [[nodiscard]] const rockcreek_operation_description& what() const { return *what_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// The place at which the block of a rank begins; for rank `ranks`, the vector's end.
  [[nodiscard]] std::size_t begin(int rank) const {
    return rockcreek_block_begin(bytes_ / element_, ranks_, rank) * element_;
  }
  [[nodiscard]] std::size_t block(int rank) const { return begin(rank + 1) - begin(rank); }
  /// Bytes of the blocks of so many ranks from `first` on, of which rank 0 comes behind the last one.
  [[nodiscard]] std::size_t run(int first, int count) const {
    return first + count <= ranks_ ? begin(first + count) - begin(first)
                                   : bytes_ - begin(first) + begin(first + count - ranks_);
  }
  [[nodiscard]] std::size_t longest_block() const {
    const std::size_t elements = bytes_ / element_, all = static_cast<std::size_t>(ranks_);
    return (elements + all - 1) / all * element_;
  }

  /// Bytes that a rank has before the call.
  [[nodiscard]] std::size_t source(int rank, int root) const {
    return what_->only_root_source != 0 && rank != root ? 0 : of(what_->source, rank);
  }
  /// Bytes that a rank gets.
  [[nodiscard]] std::size_t target(int rank, int root) const {
    return what_->only_root_target != 0 && rank != root ? 0 : of(what_->target, rank);
  }
  /// The place in the vector at which a rank's source begins.
  [[nodiscard]] std::size_t first_in_source(int rank) const {
    return what_->source == ROCKCREEK_BLOCK ? begin(rank) : 0;
  }
  /// The bytes that go from one rank to another, or to itself. If operands are combined: the bytes of the
  /// sender's operand that count in the receiver's result.
  [[nodiscard]] Transfer transfer(int sender, int receiver, int root) const {
    if (source(sender, root) == 0 || target(receiver, root) == 0) return {};
    if (what_->of_lower_ranks != 0 && sender > receiver) return {};
    const bool of_sender = what_->source == ROCKCREEK_BLOCK;
    if (!of_sender && what_->target == ROCKCREEK_WHOLE) return {0, 0, bytes_};
    const std::size_t length = block(of_sender ? sender : receiver);
    return {of_sender ? 0 : begin(receiver),
            what_->target == ROCKCREEK_WHOLE        ? begin(sender)
                : what_->target == ROCKCREEK_COLUMN ? static_cast<std::size_t>(sender) * length
                                                    : 0,
            length};
  }

 private:
  [[nodiscard]] std::size_t of(rockcreek_share share, int rank) const {
    switch (share) {
    case ROCKCREEK_NOTHING:
      return 0;
    case ROCKCREEK_WHOLE:
      return bytes_;
    case ROCKCREEK_BLOCK:
      return block(rank);
    case ROCKCREEK_COLUMN:
      return block(rank) * static_cast<std::size_t>(ranks_);
    }
    return 0;
  }

  const rockcreek_operation_description* what_;
  std::size_t bytes_, element_;
  int ranks_;
};

} // namespace algorithms
