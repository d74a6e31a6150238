// SPDX-License-Identifier: Apache-2.0
// Exchanges among fewer ranks than there are: some stay out and have a neighbour as their deputy.
#pragma once

namespace algorithms {

/// Folds `ranks` ranks to `places` that exchange, at least half of them. Of the first 2 * (ranks - places)
/// ranks each even one gives its operand to the odd one above it before the exchange, and gets the result
/// from it afterwards.
class Folding {
 public:
  constexpr Folding(int ranks, int places) : places_(places), folded_(ranks - places) {}

  /// True if the rank stays out of the exchanges; its deputy is the rank above.
  [[nodiscard]] constexpr bool stays_out(int rank) const { return rank < 2 * folded_ && rank % 2 == 0; }
  /// True if the rank is the deputy of the one below.
  [[nodiscard]] constexpr bool is_deputy(int rank) const { return rank < 2 * folded_ && rank % 2 == 1; }

  /// Ranks that do not stay out have the places 0 .. places()-1, in the order of the ranks.
  [[nodiscard]] constexpr int places() const { return places_; }
  [[nodiscard]] constexpr int place_of(int rank) const {
    return rank < 2 * folded_ ? rank / 2 : rank - folded_;
  }
  /// The first rank that a place stands for, itself or the one that stays out below; of place `places()`,
  /// `ranks`.
  [[nodiscard]] constexpr int first_rank(int place) const {
    return place < folded_ ? 2 * place : place + folded_;
  }

 protected:
  [[nodiscard]] constexpr int rank_at(int place) const {
    return place < folded_ ? 2 * place + 1 : place + folded_;
  }

 private:
  int places_;
  int folded_;
};

} // namespace algorithms
