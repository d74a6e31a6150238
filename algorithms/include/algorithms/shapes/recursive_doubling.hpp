// SPDX-License-Identifier: Apache-2.0
// The schedule of allreduce/recursive_doubling, free of communication. Its idea, drawing, cost and source
// stand at the top of src/on_messages/allreduce/recursive_doubling.cpp.
#pragma once

#include <bit>

namespace algorithms::recursive_doubling {

/// For `ranks` >= 1. 2^q of them, the largest power of two, exchange; of the first 2 * (ranks - 2^q), each
/// even one gives its operand to the odd one above it before, and has the result from it afterwards.
class Shape {
 public:
  constexpr explicit Shape(int ranks)
      : exchanging_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))),
        folded_(ranks - exchanging_) {}

  /// q: the exchanges that a rank takes part in.
  [[nodiscard]] constexpr int rounds() const {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(exchanging_))) - 1;
  }

  /// Whether the rank stays out of the exchanges; its deputy is the rank above.
  [[nodiscard]] constexpr bool stays_out(int rank) const { return rank < 2 * folded_ && rank % 2 == 0; }
  /// Whether the rank is the deputy of the one below.
  [[nodiscard]] constexpr bool is_deputy(int rank) const { return rank < 2 * folded_ && rank % 2 == 1; }

  /// Ranks that do not stay out have the places 0 .. places()-1, in the order of the ranks.
  [[nodiscard]] constexpr int places() const { return exchanging_; }
  [[nodiscard]] constexpr int place_of(int rank) const {
    return rank < 2 * folded_ ? rank / 2 : rank - folded_;
  }
  /// The first rank that a place stands for, itself or the one that stays out below; of place `places()`,
  /// `ranks`.
  [[nodiscard]] constexpr int first_rank(int place) const {
    return place < folded_ ? 2 * place : place + folded_;
  }

  /// Whom a rank that does not stay out exchanges with in a round. Both hold the results of 2^round
  /// neighbouring places, so that combining the lower rank's with the upper rank's keeps all operands in rank
  /// order, and all ranks combine the same values in the same order.
  [[nodiscard]] constexpr int partner(int rank, int round) const {
    return rank_at(place_of(rank) ^ (1 << round));
  }

 private:
  [[nodiscard]] constexpr int rank_at(int place) const {
    return place < folded_ ? 2 * place + 1 : place + folded_;
  }

  int exchanging_;
  int folded_;
};

} // namespace algorithms::recursive_doubling
