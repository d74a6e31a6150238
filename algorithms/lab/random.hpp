// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every host. The standard's distributions and the C library's logarithm
// may differ in their last bits from host to host; what stands here consists of integers and of additions,
// multiplications, divisions and square roots, which IEEE 754 fixes, and is compiled without contraction
// (CMakeLists.txt).
#pragma once

#include <cstdint>

#include "mesh_sim/natural_logarithm.hpp"

namespace lab {

/// A stream of numbers for one seed and two further numbers, say a rank and a repetition.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t first, std::uint64_t second);

  /// 0 <= number < 1, a multiple of 2^-53.
  double uniform();
  /// Mean 0, standard deviation 1.
  double normal();
  /// Mean and variance are `shape` > 0.
  double gamma(double shape);
  /// 0 <= number <= 1; mean a / (a + b).
  double beta(double a, double b);

 private:
  std::uint64_t next();

  std::uint64_t state_;
};

using mesh::natural_logarithm;
/// For x of -700 .. 700, to 13 digits.
[[nodiscard]] double exponential(double x);

} // namespace lab
