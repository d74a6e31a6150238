// SPDX-License-Identifier: Apache-2.0
// The schedule of bcast/scatter_allgather, free of communication. Its idea, drawing, cost and source stand at
// the top of src/on_messages/bcast/scatter_allgather.cpp.
#pragma once

#include <algorithm>
#include <cstddef>

#include "algorithms/shapes/binomial.hpp"

namespace algorithms::scatter_allgather {

inline constexpr std::size_t line_bytes =
    32; ///< line of the SCC's caches and buffers; RCCE sends a shorter rest by itself

/// Schedule for `ranks` virtual ranks (root 0).
class Shape {
 public:
  constexpr Shape(int ranks, std::size_t bytes)
      : ranks_(ranks), bytes_(bytes), block_bytes_(whole_lines((bytes + size() - 1) / size())) {}

  /// The place at which a block begins; for block `ranks`, the end of the message.
  [[nodiscard]] constexpr std::size_t offset(int block) const {
    return std::min(static_cast<std::size_t>(block) * block_bytes_, bytes_);
  }

  /// Blocks v .. end-1 are what v has after the scatter: those of its subtree. The root has all.
  [[nodiscard]] constexpr int held_end(int v) const {
    return std::min(v + binomial::span(v, ranks_), ranks_);
  }

  [[nodiscard]] constexpr int rounds() const { return ranks_ - 1; }
  /// The block that v sends to v+1 in a round of the ring.
  [[nodiscard]] constexpr int block_sent(int v, int round) const { return (v - round + ranks_) % ranks_; }
  /// True if v has something to send to v+1 in a round: a block that is not empty and that v+1 does not hold.
  [[nodiscard]] constexpr bool sends(int v, int round) const {
    const int block = block_sent(v, round), receiver = (v + 1) % ranks_;
    if (offset(block) == offset(block + 1)) return false;
    return block < receiver || block >= held_end(receiver);
  }
  /// Even ranks send first, odd ones receive first: the keys (round, parity) of a rank's messages grow, with
  /// the message from an even last rank to the root between both parities. So no circle of ranks waits for
  /// itself.
  [[nodiscard]] static constexpr bool sends_first(int v) { return v % 2 == 0; }

 private:
  [[nodiscard]] constexpr std::size_t size() const { return static_cast<std::size_t>(ranks_); }
  [[nodiscard]] static constexpr std::size_t whole_lines(std::size_t bytes) {
    return (bytes + line_bytes - 1) / line_bytes * line_bytes;
  }

  int ranks_;
  std::size_t bytes_;
  std::size_t block_bytes_;
};

} // namespace algorithms::scatter_allgather
