// The tree of reduce/f_nomial, free of communication. Its idea, drawing, cost and source stand at the top of
// src/on_messages/reduce/f_nomial.cpp.
#pragma once

namespace algorithms::f_nomial {

/// A tree of degree f over ranks 0 .. ranks-1 with root 0. In phase k, a rank that f^(k+1) divides takes from
/// the ranks that are f^k, 2*f^k ... (f-1)*f^k above it; one that only f^k divides sends to its parent and is
/// done. A rank and those below it in the tree are consecutive ranks, and children come in ascending order:
/// whoever combines (own, child 0, child 1 ...) combines in rank order.
class Shape {
 public:
  /// `ranks` >= 1, `degree` >= 2.
  constexpr Shape(int ranks, int degree) : ranks_(ranks), degree_(degree) {}

  /// Phases until the root has everything: ceil(log_f ranks).
  [[nodiscard]] constexpr int phases() const {
    int phases = 0;
    for (long stride = 1; stride < ranks_; stride *= degree_) ++phases;
    return phases;
  }

  /// The phase in which a rank > 0 sends.
  [[nodiscard]] constexpr int sending_phase(int rank) const {
    int phase = 0;
    for (; rank % degree_ == 0; rank /= degree_) ++phase;
    return phase;
  }

  /// Where a rank > 0 sends.
  [[nodiscard]] constexpr int parent(int rank) const {
    const long above = stride(sending_phase(rank) + 1);
    return static_cast<int>(rank / above * above);
  }

  /// Which of its parent's children a rank > 0 is, from 0, in the order in which the parent takes them.
  [[nodiscard]] constexpr int child_index(int rank) const {
    const int phase = sending_phase(rank);
    return phase * (degree_ - 1) + static_cast<int>(rank / stride(phase) % degree_) - 1;
  }

  /// Children of a rank; they have the indices 0 .. children-1.
  [[nodiscard]] constexpr int children(int rank) const {
    const int last = rank == 0 ? phases() : sending_phase(rank);
    int count = 0;
    for (int phase = 0; phase < last; ++phase)
      for (int a = 1; a < degree_ && rank + a * stride(phase) < ranks_; ++a) ++count;
    return count;
  }

  /// A child by its index, below children(rank).
  [[nodiscard]] constexpr int child(int rank, int index) const {
    return static_cast<int>(rank + (index % (degree_ - 1) + 1) * stride(index / (degree_ - 1)));
  }

 private:
  /// f^phase; of a phase that exists, at most ranks * f.
  [[nodiscard]] constexpr long stride(int phase) const {
    long stride = 1;
    for (int k = 0; k < phase; ++k) stride *= degree_;
    return stride;
  }

  int ranks_;
  int degree_;
};

} // namespace algorithms::f_nomial
