// SPDX-License-Identifier: Apache-2.0
// The schedule of bcast/linear, free of communication. Its idea, drawing, cost and source stand at the top of
// src/on_messages/bcast/linear.cpp.
#pragma once

namespace algorithms::linear {

/// The root's partner in round 0 .. ranks-2; the other ranks have one receive, from the root.
[[nodiscard]] constexpr int receiver(int round, int root) {
  return round < root ? round : round + 1;
}

} // namespace algorithms::linear
