// SPDX-License-Identifier: Apache-2.0
// The likelihood of a tree, and its derivatives by the length of a branch, pattern by pattern: what threads
// do in the regions of optimise.hpp. Pattern i belongs to thread i mod n, so threads share nothing but the
// tree and the sums that each returns.
//
// Sources: J. Felsenstein, Evolutionary trees from DNA sequences (1981); in fork-join regions: A. Stamatakis,
// RAxML (2006); Berger, Stamatakis: Assessment of Barrier Implementations for Fine-Grain Parallel Regions on
// Current Multi-core Architectures, section V.
#pragma once

#include "likelihood/tree.hpp"

namespace rccebench::likelihood {

/// An end of a branch, and in which direction it is looked at.
struct View {
  int node = 0;
  int without = 0; ///< the neighbour at the other end of the branch
};

class Kernel {
 public:
  Kernel(const Model& model, Tree tree, const Alignment& alignment);

  [[nodiscard]] const Tree& tree() const { return tree_; }
  [[nodiscard]] int patterns() const { return patterns_; }
  /// The length of the branch from that node to its parent.
  [[nodiscard]] double length(int node) const { return tree_.length[static_cast<std::size_t>(node)]; }
  void set_length(int node, double length) { tree_.length[static_cast<std::size_t>(node)] = length; }

  // --- by each thread of a region, for its own patterns; those of a node before those that read them
  /// Computes what the node knows of all that is not behind `without`, from its other two neighbours, which
  /// know the like.
  void newview(View view, int thread, int threads);
  /// All inner nodes, children first.
  void newview_all(int thread, int threads);
  /// ln L of the thread's patterns, at the branch from that node to its parent; both ends know the rest.
  [[nodiscard]] double evaluate(int node, int thread, int threads) const;
  /// Keeps for each pattern and rate the coefficients of its likelihood as a sum of exponentials of the
  /// length of that branch.
  void prepare_derivatives(int node, int thread, int threads);
  /// First and second derivative of ln L by the length, at this length, of the thread's patterns.
  [[nodiscard]] std::array<double, 2> derivatives(double length, int thread, int threads) const;

 private:
  [[nodiscard]] double* at(int node, int pattern) {
    return &vectors_[(static_cast<std::size_t>(node - tree_.tips) * static_cast<std::size_t>(patterns_) +
                      static_cast<std::size_t>(pattern)) *
                     pattern_size];
  }
  /// The node's vector, or at a tip its data; `room` is filled for tips.
  [[nodiscard]] const double* known(int node, int pattern, double* room) const;
  [[nodiscard]] int scaled(int node, int pattern) const;
  [[nodiscard]] double branch_of(View view, int neighbour) const;

  Model model_;
  Tree tree_;
  int patterns_;
  std::vector<std::vector<std::uint8_t>> codes_;
  std::vector<double> vectors_;      ///< by inner node and pattern
  std::vector<int> scaled_;          ///< the like: how often multiplied by 2^256
  std::vector<double> coefficients_; ///< by pattern, of the branch last prepared
  std::vector<int> below_;           ///< inner nodes, children first
};

/// Floating-point operations of each part, counted in the loops of kernel.cpp: for one pattern, and once for
/// each thread and region (matrices of transition; an exponential counts 40).
struct Operations {
  double a_pattern = 0, once = 0;
};
inline constexpr double exponential_operations = 40;
inline constexpr double transition_operations =
    rates * (states * exponential_operations + states * states * states * 3.0);
/// Two products of matrix and vector for each rate, and their product by elements.
inline constexpr Operations newview_operations{rates * (2.0 * states * (2 * states - 1) + states),
                                               2 * transition_operations};
/// The like, with the frequencies before one of them.
inline constexpr Operations prepare_operations{rates * (states * (3 * states - 1.0 + 2 * states - 1 + 1)), 0};
/// A matrix's product with a vector and the sum of products for each rate; a logarithm counts as much as an
/// exponential.
inline constexpr Operations evaluate_operations{
    rates * (states * (2.0 * states - 1) + states * 3) + exponential_operations, transition_operations};
/// Three sums of products, and the quotients.
inline constexpr Operations derivative_operations{pattern_size * 6.0 + 6,
                                                  rates* states*(exponential_operations + 3)};

} // namespace rccebench::likelihood
