// barrier/tree
//
// Idea: a rank reports to its parent when its children have reported; from rank 0 the release goes down
// the same tree.
//
// n = 7, 2 children:
//
//     up     3->1  4->1   5->2  6->2      1->0  2->0
//     down   0->1  0->2   1->3  1->4      2->5  2->6
//
// Cost: 2*depth steps, depth = about log_k n; n-1 flag writes up and n-1 down, by different ranks at the
// same time. A parent waits for its children one after the other.
//
// Hops: upper edges are long, the many lower ones too (children of v are k*v+1 ... k*v+k).
//
// Restrictions: none.
//
// Buffers and flags: k arrival flags and 1 release flag at every rank. Their meaning is reversed after
// each barrier, so that nobody has to reset one: a child reports again only after its release, which its
// parent gave after its wait.
//
// Source: Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors
// (1991), section 3.4.
#pragma once

namespace algorithms::tree {

/// Of 2 to 8 children, 4 are the fastest on 48 cores of preset `scc` in simulation.
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
