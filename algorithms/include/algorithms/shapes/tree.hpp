// SPDX-License-Identifier: Apache-2.0
// The schedule of barrier/tree, free of communication. Its idea, drawing, cost and source stand at the top of
// src/on_messages/barrier/tree.cpp.
#pragma once

namespace algorithms::tree {

/// The fastest fan-out from 2 to 8 on 48 cores of preset `scc` in simulation.
inline constexpr int default_fan_out = 4;

[[nodiscard]] constexpr int parent(int rank, int fan_out) {
  return (rank - 1) / fan_out;
}
/// Which of its parent's children a rank is, from 0; rank > 0.
[[nodiscard]] constexpr int slot(int rank, int fan_out) {
  return (rank - 1) % fan_out;
}
/// A child by its slot; may be beyond the last rank.
[[nodiscard]] constexpr int child(int rank, int slot, int fan_out) {
  return rank * fan_out + 1 + slot;
}

} // namespace algorithms::tree
