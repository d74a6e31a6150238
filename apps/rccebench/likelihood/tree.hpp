// SPDX-License-Identifier: Apache-2.0
// Unrooted binary trees of organisms, and sequences that have evolved along them. From a seed, the same on
// every host.
#pragma once

#include <cstdint>
#include <vector>

#include "likelihood/model.hpp"

namespace rccebench::likelihood {

/// Nodes 0 ... tips - 1 are tips, the others, tips - 2 of them, inner nodes with three neighbours. The tree
/// is kept as seen from tip 0: every other node has one parent and a branch to it.
struct Tree {
  int tips = 0;
  std::vector<int> parent;                  ///< by node; of tip 0: -1
  std::vector<std::array<int, 2>> children; ///< by node; of tips: -1, but tip 0 has one
  std::vector<double> length; ///< length of the branch to the parent, in expected changes a site

  [[nodiscard]] int nodes() const { return static_cast<int>(parent.size()); }
  [[nodiscard]] bool is_tip(int node) const { return node < tips; }
};

/// Nucleotides at tips: bit 0 is A, 1 is C, 2 is G, 3 is T; several bits where it is not known which.
struct Alignment {
  int sites = 0;
  std::vector<std::vector<std::uint8_t>> codes; ///< by tip, then site
};

inline constexpr double mean_length =
    0.1; ///< mean length of generated branches, which are exponentially distributed

/// Tips are added one by one on random branches. 3 tips at least.
[[nodiscard]] Tree random_tree(int tips, std::uint64_t seed);
[[nodiscard]] Alignment evolve(const Tree& tree, const Model& model, int sites, std::uint64_t seed);

} // namespace rccebench::likelihood
