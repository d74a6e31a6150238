// SPDX-License-Identifier: Apache-2.0
// The schedule of barrier/dissemination, free of communication. Its idea, drawing, cost and source stand at
// the top of src/on_messages/barrier/dissemination.cpp.
#pragma once

namespace algorithms::dissemination {

class Shape {
 public:
  /// `ranks` >= 1; `partners` >= 1 is m.
  constexpr Shape(int ranks, int partners) : ranks_(ranks), partners_(partners) {
    for (long reached = 1; reached < ranks; reached *= partners + 1) ++rounds_;
  }

  [[nodiscard]] constexpr int rounds() const { return rounds_; }
  [[nodiscard]] constexpr int partners() const { return partners_; }
  /// Partner `index` (0 .. m-1) of a round stands at this distance; 0: there is none, as it would be beyond
  /// everybody.
  [[nodiscard]] constexpr int distance(int round, int index) const {
    long distance = index + 1;
    for (int i = 0; i < round; ++i) distance *= partners_ + 1;
    return distance < ranks_ ? static_cast<int>(distance) : 0;
  }
  [[nodiscard]] constexpr int notifies(int rank, int distance) const { return (rank + distance) % ranks_; }
  [[nodiscard]] constexpr int waits_for(int rank, int distance) const {
    return (rank - distance + ranks_) % ranks_;
  }

 private:
  int ranks_;
  int partners_;
  int rounds_ = 0;
};

} // namespace algorithms::dissemination
