// SPDX-License-Identifier: Apache-2.0
// The schedule of allreduce/recursive_doubling, free of communication. Its idea, drawing, cost and source
// stand at the top of src/on_messages/allreduce/recursive_doubling.cpp.
#pragma once

#include <bit>

#include "algorithms/shapes/folding.hpp"

namespace algorithms::recursive_doubling {

/// For `ranks` >= 1. 2^q of them, the largest power of two, exchange; the others are folded.
class Shape : public Folding {
 public:
  constexpr explicit Shape(int ranks)
      : Folding(ranks, static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))) {}

  /// q: the exchanges that a rank takes part in.
  [[nodiscard]] constexpr int rounds() const {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(places()))) - 1;
  }

  /// Whom a rank that does not stay out exchanges with in a round. Both hold the results of 2^round
  /// neighbouring places, so that combining the lower rank's with the upper rank's keeps all operands in rank
  /// order, and all ranks combine the same values in the same order.
  [[nodiscard]] constexpr int partner(int rank, int round) const {
    return rank_at(place_of(rank) ^ (1 << round));
  }
};

} // namespace algorithms::recursive_doubling
