// SPDX-License-Identifier: Apache-2.0
// How sequences of nucleotides change along a tree: the general time-reversible model with rates of sites
// from a gamma distribution in four classes. The same bits on every host (random.hpp).
//
// Sources: S. Tavare, Some probabilistic and statistical problems in the analysis of DNA sequences (1986);
// Z. Yang, Maximum likelihood phylogenetic estimation from DNA sequences with variable rates over sites
// (1994).
#pragma once

#include <array>

namespace rccebench::likelihood {

inline constexpr int states = 4, rates = 4;
/// Numbers of one pattern at one node: by rate, then state.
inline constexpr int pattern_size = states * rates;

using Vector = std::array<double, states>;
using Matrix = std::array<Vector, states>;
/// The transitions of one branch, for each rate: entry [i][j] is the probability of j at the far end if the
/// near one has i.
using Transition = std::array<Matrix, rates>;

struct ModelParameters {
  std::array<double, 6> exchange{1, 1, 1, 1, 1, 1}; ///< AC, AG, AT, CG, CT, GT
  Vector frequencies{0.25, 0.25, 0.25, 0.25};       ///< frequencies of A, C, G, T; their sum is 1
  double shape = 1;                                 ///< shape of the gamma distribution, whose mean is 1
};

class Model {
 public:
  /// Throws std::invalid_argument for numbers that are not positive.
  explicit Model(const ModelParameters& parameters);

  [[nodiscard]] const Vector& frequencies() const { return frequencies_; }
  [[nodiscard]] const std::array<double, rates>& rate() const { return rate_; }
  /// Q = right * diag(values) * left; time 1 is one expected change a site.
  [[nodiscard]] const Vector& values() const { return values_; }
  [[nodiscard]] const Matrix& right() const { return right_; }
  [[nodiscard]] const Matrix& left() const { return left_; }
  [[nodiscard]] Transition transition(double time) const;

 private:
  Vector frequencies_, values_{};
  Matrix right_{}, left_{};
  std::array<double, rates> rate_{};
};

} // namespace rccebench::likelihood
