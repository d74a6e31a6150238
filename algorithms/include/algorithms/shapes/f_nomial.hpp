// SPDX-License-Identifier: Apache-2.0
// The tree of reduce/f_nomial, free of communication. Its idea, drawing, cost and source stand at the top of
// src/on_messages/reduce/f_nomial.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace algorithms::f_nomial {

/// A tree over ranks 0 .. ranks-1 with root 0, of a degree f that may differ from phase to phase. In phase k,
/// a rank that the product of f_0 .. f_k divides takes from the ranks that are s, 2*s ... (f_k - 1)*s above
/// it, where s is the product of f_0 .. f_(k-1); one that only s divides sends to its parent and is done. A
/// rank and those below it in the tree are consecutive ranks, and children come in ascending order: whoever
/// combines (own, child 0, child 1 ...) combines in rank order.
class Shape {
 public:
  /// `ranks` >= 1, `degree` >= 2.
  constexpr Shape(int ranks, int degree) : Shape(ranks, std::span<const int>(&degree, 1)) {}

  /// One degree >= 2 for each phase; the last one holds for all further phases.
  constexpr Shape(int ranks, std::span<const int> degrees) : ranks_(ranks) {
    long stride = 1;
    for (; stride < ranks; ++phases_) {
      const int degree =
          degrees[static_cast<std::size_t>(phases_) < degrees.size() ? static_cast<std::size_t>(phases_)
                                                                     : degrees.size() - 1];
      phase(phases_) = {degree, stride, first_child_};
      first_child_ += degree - 1;
      stride *= degree;
    }
    phase(phases_) = {2, stride, first_child_};
  }

  /// Phases until the root has everything.
  [[nodiscard]] constexpr int phases() const { return phases_; }

  /// The phase in which a rank > 0 sends.
  [[nodiscard]] constexpr int sending_phase(int rank) const {
    int k = 0;
    while (rank % phase(k + 1).stride == 0) ++k;
    return k;
  }

  /// The rank to which a rank > 0 sends.
  [[nodiscard]] constexpr int parent(int rank) const {
    const long above = phase(sending_phase(rank) + 1).stride;
    return static_cast<int>(rank / above * above);
  }

  /// Which of its parent's children a rank > 0 is, from 0, in the order in which the parent takes them.
  [[nodiscard]] constexpr int child_index(int rank) const {
    const Phase& own = phase(sending_phase(rank));
    return own.first_child + static_cast<int>(rank / own.stride % own.degree) - 1;
  }

  /// Children of a rank in one phase; none from the phase in which it sends on.
  [[nodiscard]] constexpr int children(int rank, int in_phase) const {
    const Phase& own = phase(in_phase);
    if (in_phase >= (rank == 0 ? phases_ : sending_phase(rank))) return 0;
    const long last = (ranks_ - 1 - rank) / own.stride;
    return static_cast<int>(last < own.degree - 1 ? last : own.degree - 1);
  }

  /// Children of a rank; they have the indices 0 .. children-1.
  [[nodiscard]] constexpr int children(int rank) const {
    int count = 0;
    for (int k = 0; k < phases_; ++k) count += children(rank, k);
    return count;
  }

  /// A child by its index, below children(rank).
  [[nodiscard]] constexpr int child(int rank, int index) const {
    int k = 0;
    while (k + 1 < phases_ && phase(k + 1).first_child <= index) ++k;
    return static_cast<int>(rank + (index - phase(k).first_child + 1) * phase(k).stride);
  }

 private:
  struct Phase {
    int degree = 2;
    long stride = 1;     ///< stride of a phase that exists, less than the number of ranks
    int first_child = 0; ///< its index at ranks that have children in this phase
  };
  static constexpr std::size_t most_phases = 32; ///< phases for as many ranks as an int counts, and one more
  [[nodiscard]] constexpr Phase& phase(int k) { return phase_[static_cast<std::size_t>(k)]; }
  [[nodiscard]] constexpr const Phase& phase(int k) const { return phase_[static_cast<std::size_t>(k)]; }

  int ranks_, phases_ = 0, first_child_ = 0;
  std::array<Phase, most_phases> phase_{};
};

} // namespace algorithms::f_nomial
