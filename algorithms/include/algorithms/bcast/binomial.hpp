// bcast/binomial
//
// Idea: whoever has the message gives it to a rank that leads half of what it is still responsible for;
// the number of holders doubles in each round.
//
// n = 7 (virtual ranks; the root is 0):
//
//     round 0   0 -> 4
//     round 1   0 -> 2   4 -> 6
//     round 2   0 -> 1   2 -> 3   4 -> 5
//
// Cost: ceil(log2 n) start-ups and ceil(log2 n)*bytes on the longest path, n-1 messages; good for messages
// that fit one buffer. With ranks row by row over the mesh the early, few messages go far and the many
// late ones to neighbours.
//
// Restrictions: none; any n, any root.
//
// Buffers and flags: those of RCCE_send.
//
// Source: folklore; in this form in Thakur, Rabenseifner, Gropp: Optimization of Collective Communication
// Operations in MPICH (2005), section 4.
#pragma once

#include <bit>

namespace algorithms::binomial {

/// Ranks that virtual rank v answers for, itself included, if all of them exist: the power of two that
/// divides it.
[[nodiscard]] constexpr int span(int v, int ranks) {
  const unsigned all = std::bit_ceil(static_cast<unsigned>(ranks));
  return static_cast<int>(v == 0 ? all : static_cast<unsigned>(v) & (0U - static_cast<unsigned>(v)));
}

/// Where v receives from; v > 0.
[[nodiscard]] constexpr int parent(int v) {
  return v & (v - 1);
}

/// v sends to v + distance for distance = first_distance, halved down to 1, as far as that rank exists.
[[nodiscard]] constexpr int first_distance(int v, int ranks) {
  return span(v, ranks) / 2;
}

} // namespace algorithms::binomial
