// bcast/linear
//
// Idea: the root sends the whole message to one rank after the other, as RCCE_bcast does. The yardstick.
//
// n = 5, root 2:      2 -> 0    2 -> 1    2 -> 3    2 -> 4
//
// Cost: n-1 start-ups and (n-1)*bytes one after the other, all through the root's put and its link; hops:
// the sum of the distances from the root.
//
// Restrictions: none.
//
// Buffers and flags: those of RCCE_send (payload area of the root's MPB, the pair's two flags).
//
// Source: Intel, RCCE: a Small Library for Many-Core Communication (2010), RCCE_bcast.
#pragma once

namespace algorithms::linear {

/// The root's partner in round 0 .. ranks-2; the other ranks have one receive, from the root.
[[nodiscard]] constexpr int receiver(int round, int root) {
  return round < root ? round : round + 1;
}

} // namespace algorithms::linear
