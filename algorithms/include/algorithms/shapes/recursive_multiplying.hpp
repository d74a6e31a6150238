// SPDX-License-Identifier: Apache-2.0
// The schedule of allreduce/tagged, free of communication. Its idea, drawing, cost and source stand at the
// top of src/on_messages/allreduce/tagged.cpp.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "algorithms/shapes/folding.hpp"

namespace algorithms::recursive_multiplying {

inline constexpr int most_radix = 3;

/// For `ranks` >= 1. As many of them exchange as a product of twos and threes says; the others are folded.
class Shape : public Folding {
 public:
  explicit Shape(int ranks) : Shape(ranks, best(ranks)) {}

  [[nodiscard]] int rounds() const { return static_cast<int>(radices_.size()); }
  /// How many ranks a group has that exchange with each other in a round.
  [[nodiscard]] int radix(int round) const { return radices_[static_cast<std::size_t>(round)]; }

  /// The number in its group of a rank that does not stay out. The members of a group hold the results of
  /// equally many neighbouring places, the lower member those of lower places.
  [[nodiscard]] int member(int rank, int round) const {
    return place_of(rank) / stride(round) % radix(round);
  }
  /// The rank that is that member of the same group.
  [[nodiscard]] int rank_of(int rank, int round, int member) const {
    return rank_at(place_of(rank) + (member - this->member(rank, round)) * stride(round));
  }

  /// That a rank takes in all rounds.
  [[nodiscard]] int messages() const { return messages_before(rounds()); }
  /// The number of one of them, from 0, by reader.
  [[nodiscard]] int message(int round, int writer, int reader) const {
    return messages_before(round) + (writer < reader ? writer : writer - 1);
  }

 private:
  struct Factors {
    int places;
    std::vector<int> radices;
    int messages; ///< that a rank takes one after the other, deputies and ranks that stay out included
  };

  Shape(int ranks, Factors factors) : Folding(ranks, factors.places), radices_(std::move(factors.radices)) {}

  /// Those with the fewest messages, of several the most places.
  [[nodiscard]] static Factors best(int ranks) {
    Factors best{0, {}, 0};
    for (int threes = 1; threes <= ranks; threes *= most_radix)
      for (int places = threes; places <= ranks; places *= 2) {
        if (2 * places < ranks) continue; // a deputy has one rank only
        Factors found{places, {}, places == ranks ? 0 : 2};
        for (int left = places; left > 1; left /= found.radices.back()) {
          found.radices.push_back(left % 2 == 0 ? 2 : most_radix);
          found.messages += found.radices.back() - 1;
        }
        if (best.places == 0 || found.messages < best.messages ||
            (found.messages == best.messages && places > best.places))
          best = std::move(found);
      }
    return best;
  }

  /// The places whose operands a rank has combined before a round: how far members of a group are apart.
  [[nodiscard]] int stride(int round) const {
    int stride = 1;
    for (int i = 0; i < round; ++i) stride *= radix(i);
    return stride;
  }
  [[nodiscard]] int messages_before(int round) const {
    int messages = 0;
    for (int i = 0; i < round; ++i) messages += radix(i) - 1;
    return messages;
  }

  std::vector<int> radices_; ///< by round
};

} // namespace algorithms::recursive_multiplying
