// SPDX-License-Identifier: Apache-2.0
// The tree of reduce/pair_tree, free of communication. Its idea, drawing, cost and source stand at the top of
// src/on_messages/reduce/pair_tree.cpp.
#pragma once

#include <bit>
#include <cstddef>

namespace algorithms::pair_tree {

/// Iterations until rank 0 has everything: ceil(log2 ranks).
[[nodiscard]] constexpr int iterations(int ranks) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)));
}

/// The iteration in which a rank > 0 is the child, after which it is done. In all before, it is the parent.
[[nodiscard]] constexpr int child_iteration(int rank) {
  return std::countr_zero(static_cast<unsigned>(rank));
}

/// The parent of a rank > 0.
[[nodiscard]] constexpr int parent(int rank) {
  return rank & (rank - 1);
}

/// The child of a parent in an iteration; may be beyond the last rank.
[[nodiscard]] constexpr int child(int rank, int iteration) {
  return rank + (1 << iteration);
}

/// The border between the elements that the parent combines, which come first, and those of the child.
[[nodiscard]] constexpr std::size_t middle(std::size_t elements) {
  return (elements + 1) / 2;
}

} // namespace algorithms::pair_tree
