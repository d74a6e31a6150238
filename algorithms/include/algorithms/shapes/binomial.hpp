// SPDX-License-Identifier: Apache-2.0
// The schedule of bcast/binomial, free of communication. Its idea, drawing, cost and source stand at the top
// of src/on_messages/bcast/binomial.cpp.
#pragma once

#include <bit>

namespace algorithms::binomial {

/// Ranks that virtual rank v answers for, itself included, if all of them exist: the power of two that
/// divides it.
[[nodiscard]] constexpr int span(int v, int ranks) {
  const unsigned all = std::bit_ceil(static_cast<unsigned>(ranks));
  return static_cast<int>(v == 0 ? all : static_cast<unsigned>(v) & (0U - static_cast<unsigned>(v)));
}

/// The rank from which v receives; v > 0.
[[nodiscard]] constexpr int parent(int v) {
  return v & (v - 1);
}

/// v sends to v + distance for distance = first_distance, halved down to 1, as far as that rank exists.
[[nodiscard]] constexpr int first_distance(int v, int ranks) {
  return span(v, ranks) / 2;
}

} // namespace algorithms::binomial
