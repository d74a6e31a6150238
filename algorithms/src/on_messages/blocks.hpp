// SPDX-License-Identifier: Apache-2.0
// What operations share whose vector has a block for each rank: where blocks lie, and the steps that
// schedules consist of. All functions that return an int return RCCE_SUCCESS or the error of the call that
// failed.
#pragma once

#include <cstddef>

#include <RCCE.h>
#include <rockcreek.h>

#include "algorithms/algorithm.h"

namespace algorithms {

/// The blocks of a call's vector, in bytes. Ranks are taken modulo the number of ranks.
class Blocks {
 public:
  explicit Blocks(const rockcreek_call& call)
      : element_(call.count > 0 ? call.bytes / call.count : 1),
        length_(call.bytes / element_),
        ranks_(RCCE_num_ues()),
        self_(RCCE_ue()) {}

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] int self() const { return self_; }
  [[nodiscard]] int wrapped(int rank) const { return (rank % ranks_ + ranks_) % ranks_; }
  /// The byte at which the block begins.
  [[nodiscard]] std::size_t offset(int rank) const { return border(wrapped(rank)); }
  [[nodiscard]] std::size_t bytes(int rank) const {
    return border(wrapped(rank) + 1) - border(wrapped(rank));
  }
  [[nodiscard]] std::size_t longest() const { return bytes(ranks_ - 1); }
  /// The first element of the block, if the operation combines elements; for rank `ranks` the vector's
  /// length.
  [[nodiscard]] std::size_t first_element(int rank) const { return border(rank) / element_; }
  /// Bytes of `count` blocks from that of `first` on; rank 0's follows the last rank's.
  [[nodiscard]] std::size_t bytes_from(int first, int count) const {
    const int begin = wrapped(first), end = begin + count;
    if (end <= ranks_) return border(end) - border(begin);
    return border(ranks_) - border(begin) + border(end - ranks_);
  }

  /// The byte at which the blocks from this rank on begin; `rank` may be the number of ranks.
  [[nodiscard]] std::size_t border(int rank) const {
    return rockcreek_block_begin(length_, ranks_, rank) * element_;
  }

 private:
  std::size_t element_, length_; ///< bytes of an element; elements of the vector
  int ranks_, self_;
};

/// Messages of no bytes are left out.
inline int send_bytes(const char* from, std::size_t bytes, int rank) {
  return bytes == 0 ? RCCE_SUCCESS : RCCE_send(const_cast<char*>(from), bytes, rank);
}
inline int receive_bytes(char* to, std::size_t bytes, int rank) {
  return bytes == 0 ? RCCE_SUCCESS : RCCE_recv(to, bytes, rank);
}

/// A message to the rank `distance` behind this one (before it, if below 0), and one from the rank as far on
/// the other side, while all ranks do the same. Both calls block: every second rank along the circle receives
/// first, so no circle of ranks waits for itself. 0 < |distance| < ranks.
struct Outgoing {
  const char* from;
  std::size_t bytes;
};
struct Incoming {
  char* to;
  std::size_t bytes;
};
inline int shift(const Blocks& blocks, int distance, Outgoing out, Incoming in) {
  const int to = blocks.wrapped(blocks.self() + distance), from = blocks.wrapped(blocks.self() - distance);
  const bool sends_first = blocks.self() / (distance < 0 ? -distance : distance) % 2 == 0;
  if (sends_first)
    if (const int error = send_bytes(out.from, out.bytes, to)) return error;
  if (const int error = receive_bytes(in.to, in.bytes, from)) return error;
  return sends_first ? RCCE_SUCCESS : send_bytes(out.from, out.bytes, to);
}

} // namespace algorithms
