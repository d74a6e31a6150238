// SPDX-License-Identifier: Apache-2.0
// The random numbers of rccebench --spread: the same bits on every host, and of the distributions that they
// claim.
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "catch.hpp"
#include "lab/random.hpp"
#include "mesh_sim/natural_logarithm.hpp"

using lab::Random;

namespace {

struct Moments {
  double mean, variance;
};

template <class Draw>
Moments moments_of(Draw draw) {
  constexpr int count = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < count; ++i) {
    Random random(1, static_cast<std::uint64_t>(i), 0);
    const double x = draw(random);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / count;
  return {mean, squares / count - mean * mean};
}

bool close(double a, double b, double within) {
  return std::abs(a - b) <= within * (1 + std::abs(b));
}

} // namespace

TEST_CASE("the same bits everywhere") {
  Random random(1, 2, 3);
  CHECK(std::bit_cast<std::uint64_t>(random.uniform()) == 0x3feb0e8d15251655U);
  CHECK(std::bit_cast<std::uint64_t>(random.normal()) == 0x3fd51cb26d064b4cU);
  CHECK(std::bit_cast<std::uint64_t>(random.gamma(0.4)) == 0x3fae7ef7eeefa9f9U);
  CHECK(std::bit_cast<std::uint64_t>(random.beta(2.5, 7.25)) == 0x3fc96aa50b02fcbbU);
}

TEST_CASE("every seed, rank and repetition has a stream of its own") {
  const auto first = [](std::uint64_t seed, std::uint64_t rank, std::uint64_t repetition) {
    return Random(seed, rank, repetition).uniform();
  };
  CHECK(first(1, 0, 0) == first(1, 0, 0));
  CHECK(first(1, 0, 0) != first(2, 0, 0));
  CHECK(first(1, 0, 0) != first(1, 1, 0));
  CHECK(first(1, 1, 0) != first(1, 0, 1));
}

TEST_CASE("means and variances") {
  const Moments uniform = moments_of([](Random& random) { return random.uniform(); });
  CHECK(close(uniform.mean, 0.5, 0.01));
  CHECK(close(uniform.variance, 1.0 / 12, 0.01));
  const Moments normal = moments_of([](Random& random) { return random.normal(); });
  CHECK(close(normal.mean, 0, 0.01));
  CHECK(close(normal.variance, 1, 0.01));
  for (const auto& [a, b] : {std::pair(0.3, 0.7), std::pair(2.0, 5.0), std::pair(30.0, 10.0)}) {
    CAPTURE(a, b);
    const Moments beta = moments_of([a = a, b = b](Random& random) { return random.beta(a, b); });
    CHECK(close(beta.mean, a / (a + b), 0.01));
    CHECK(close(beta.variance, a * b / ((a + b) * (a + b) * (a + b + 1)), 0.01));
  }
}

TEST_CASE("logarithm and exponential") {
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    CAPTURE(x);
    CHECK(close(mesh::natural_logarithm(x), std::log(x), 1e-15));
  }
  for (double x = -690; x < 690; x += 0.73) {
    CAPTURE(x);
    CHECK(std::abs(lab::exponential(x) / std::exp(x) - 1) < 1e-12);
  }
}
