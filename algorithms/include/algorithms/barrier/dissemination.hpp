// barrier/dissemination
//
// Idea: in each round everybody notifies m others at growing distances and waits for m; after round s a
// rank knows of (m+1)^(s+1) ranks. Nobody gathers, nobody releases.
//
// n = 5, m = 1:
//
//     round 0   0->1  1->2  2->3  3->4  4->0
//     round 1   0->2  1->3  2->4  3->0  4->1
//     round 2   0->4  1->0  2->1  3->2  4->3
//
// Cost: ceil(log_(m+1) n) rounds of m flag writes and m waits each, all ranks at once; n*m*rounds flag
// writes in all.
//
// Hops: up to the mesh's diameter, in every round.
//
// Restrictions: none.
//
// Buffers and flags: 2*m*rounds flags at every rank. A fast partner may be one barrier ahead, so there are
// two sets used in turn; every second time round their meaning is reversed, so that nobody has to reset
// one.
//
// Source: Hensgen, Finkel, Manber: Two Algorithms for Barrier Synchronization (1988); m > 1 and the radix:
// Ramos, Hoefler: Modeling Communication in Cache-Coherent SMP Systems (2013); two sets and reversal:
// Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors (1991).
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
