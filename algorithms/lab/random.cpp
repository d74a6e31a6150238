// SPDX-License-Identifier: Apache-2.0
#include "lab/random.hpp"

#include <cmath>

namespace lab {
namespace {

constexpr double ln_2 = 0.693147180559945309417232121458;

/// The finaliser of Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (2014): every bit of
/// the result depends on every bit of the argument.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}
constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;

} // namespace

Random::Random(std::uint64_t seed, std::uint64_t first, std::uint64_t second)
    : state_(mixed(mixed(mixed(seed + golden) + first * golden + 1) + second * golden + 2)) {}

std::uint64_t Random::next() {
  state_ += golden;
  return mixed(state_);
}

double Random::uniform() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

/// Marsaglia's polar method.
double Random::normal() {
  for (;;) {
    const double x = 2 * uniform() - 1, y = 2 * uniform() - 1, square = x * x + y * y;
    if (square >= 1 || square == 0) continue;
    return x * std::sqrt(-2 * natural_logarithm(square) / square);
  }
}

/// Marsaglia, Tsang: A Simple Method for Generating Gamma Variables (2000); shapes below 1 by a power of a
/// uniform number, as they say.
double Random::gamma(double shape) {
  if (shape < 1) {
    const double logarithm = natural_logarithm(1 - uniform()) / shape;
    return logarithm < -700 ? 0 : gamma(shape + 1) * exponential(logarithm);
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal(), t = 1 + c * x;
    if (t <= 0) continue;
    const double v = t * t * t;
    if (natural_logarithm(1 - uniform()) < x * x / 2 + d - d * v + d * natural_logarithm(v)) return d * v;
  }
}

double Random::beta(double a, double b) {
  const double x = gamma(a), y = gamma(b);
  return x + y > 0 ? x / (x + y) : a / (a + b);
}

double exponential(double x) {
  // x = k ln 2 + r with |r| <= ln 2 / 2: 2^k times the series of exp.
  const int k = static_cast<int>(std::floor(x / ln_2 + 0.5));
  const double r = x - k * ln_2;
  double sum = 1;
  for (int n = 18; n >= 1; --n) sum = 1 + sum * r / n;
  return std::ldexp(sum, k);
}

} // namespace lab
