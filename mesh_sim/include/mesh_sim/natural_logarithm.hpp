// SPDX-License-Identifier: Apache-2.0
// The C library's logarithm may differ in its last bits from host to host; this one consists of additions,
// multiplications and divisions, which IEEE 754 fixes. Files that use it for what must be the same everywhere
// are compiled without contraction.
#pragma once

#include <bit>
#include <cstdint>

namespace mesh {

/// For x > 0, to about the last bit.
[[nodiscard]] inline double natural_logarithm(double x) {
  constexpr double ln_2 = 0.693147180559945309417232121458;
  constexpr double sqrt_half = 0.707106781186547524400844362105;
  // x = 2^exponent * m with m within a factor of sqrt(2) of 1; ln m = 2 atanh((m - 1) / (m + 1)), a series in
  // powers of at most 0.1716.
  int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) - 1022;
  double m =
      std::bit_cast<double>((std::bit_cast<std::uint64_t>(x) & 0xfffffffffffffU) | 0x3fe0000000000000U);
  if (m < sqrt_half) {
    m *= 2;
    --exponent;
  }
  const double ratio = (m - 1) / (m + 1), square = ratio * ratio;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return 2 * ratio * sum + exponent * ln_2;
}

} // namespace mesh
