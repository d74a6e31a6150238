// SPDX-License-Identifier: Apache-2.0
// Trees in which a rank talks to few distances only, whatever the root. A flag that means "from the rank
// `distance` below me" has then one writer for good, so that broadcasts from different roots may follow each
// other without a barrier: no two ranks ever write the same flag.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace algorithms {

/// A tree over virtual ranks 0..ranks-1 given by ascending distances, the first of them 1: whoever leads the
/// ranks v .. v+m-1 hands those from v+d on to v+d, d being the largest distance below m, and then leads
/// d ranks.
class DistanceTree {
 public:
  DistanceTree(int ranks, std::vector<int> distances) : ranks_(ranks), distances_(std::move(distances)) {
    std::erase_if(distances_, [ranks](int distance) { return distance >= ranks; });
  }

  /// Distances 1, 2, 3, 5, 8, 13, ...: the tree that informs most ranks in a given time when a rank that has
  /// been told needs about twice the time of one call until it can tell the next.
  [[nodiscard]] static DistanceTree fibonacci(int ranks) {
    std::vector<int> distances;
    for (int a = 1, b = 2; a < ranks; b += a, a = b - a) distances.push_back(a);
    return {ranks, std::move(distances)};
  }

  /// Two levels: `width` ranks in a row have one leader.
  [[nodiscard]] static DistanceTree two_levels(int ranks) {
    int width = 1;
    while (width * width < ranks) ++width;
    std::vector<int> distances;
    for (int distance = 1; distance < ranks; distance += distance < width ? 1 : width)
      distances.push_back(distance);
    return {ranks, std::move(distances)};
  }

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] const std::vector<int>& distances() const { return distances_; }

  /// Position in distances() of the distance to v's parent; -1 for v = 0.
  [[nodiscard]] int up(int v) const { return descend(v).up; }

  /// Positions of the distances to v's children, farthest first: the order in which to tell them.
  [[nodiscard]] std::vector<int> down(int v) const {
    std::vector<int> result(static_cast<std::size_t>(children(descend(v).span)));
    std::iota(result.rbegin(), result.rend(), 0);
    return result;
  }

  /// When v has told its children, if telling one takes 1 and being told another `delay`.
  [[nodiscard]] double told_all(int v, double delay) const {
    double now = 0;
    const auto tell = [&](int ranks) {
      for (; ranks > 0; --ranks) now += 1;
    };
    const Position place = descend(v, [&](int turn) {
      tell(turn);
      now += delay;
    });
    tell(children(place.span));
    return now;
  }

 private:
  struct Position {
    int up;
    int span; ///< ranks that v leads
  };

  [[nodiscard]] int largest_below(int span) const {
    return static_cast<int>(std::lower_bound(distances_.begin(), distances_.end(), span) -
                            distances_.begin()) -
        1;
  }

  /// Of who leads `span` ranks: one at every distance below.
  [[nodiscard]] int children(int span) const { return largest_below(span) + 1; }

  /// From rank 0 down to v; `pass` gets the turn, counted from 1, of each rank on the way among its parent's
  /// children.
  template <typename Pass>
  Position descend(int v, Pass pass) const {
    Position place{-1, ranks_};
    for (int first = 0; first != v;) {
      const int index = largest_below(v - first + 1), distance = distances_[static_cast<std::size_t>(index)];
      const int all = children(place.span);
      pass(all - index);
      const int end = index + 1 < all ? distances_[static_cast<std::size_t>(index) + 1] : place.span;
      first += distance;
      place = {index, end - distance};
    }
    return place;
  }
  [[nodiscard]] Position descend(int v) const {
    return descend(v, [](int) {});
  }

  int ranks_;
  std::vector<int> distances_;
};

} // namespace algorithms
