// SPDX-License-Identifier: Apache-2.0
#include "likelihood/model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lab.hpp"
#include "lab/random.hpp"

namespace rccebench::likelihood {

namespace {

/// Eigenvalues of a symmetric matrix, and its eigenvectors as columns, by Jacobi's rotations.
void diagonalise(Matrix& a, Matrix& vectors) {
  constexpr int sweeps = 50; // a 4 by 4 matrix needs six
  for (int i = 0; i < states; ++i)
    for (int j = 0; j < states; ++j)
      vectors[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = i == j ? 1 : 0;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t p = 0; p + 1 < states; ++p)
      for (std::size_t q = p + 1; q < states; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < states; ++k) {
          const double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq;
          a[k][q] = s * kp + c * kq;
        }
        for (std::size_t k = 0; k < states; ++k) {
          const double pk = a[p][k], qk = a[q][k];
          a[p][k] = c * pk - s * qk;
          a[q][k] = s * pk + c * qk;
          const double vp = vectors[k][p], vq = vectors[k][q];
          vectors[k][p] = c * vp - s * vq;
          vectors[k][q] = s * vp + c * vq;
        }
      }
}

/// ln Gamma(x) for x > 0: Stirling's series behind a shift to x >= 10.
double log_gamma(double x) {
  constexpr double half_log_two_pi = 0.918938533204672741780329736406;
  double shift = 0;
  for (; x < 10; x += 1) shift += natural_logarithm(x);
  const double inverse = 1 / x, square = inverse * inverse;
  const double series = inverse *
      (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680 - square / 1188))));
  return (x - 0.5) * natural_logarithm(x) - x + half_log_two_pi + series - shift;
}

/// The regularised lower incomplete gamma function, by its series.
double incomplete_gamma(double a, double x) {
  if (x <= 0) return 0;
  double term = 1 / a, sum = term;
  for (double n = 1; term > sum * 1e-17 && n < 10'000; n += 1) sum += term *= x / (a + n);
  return sum * exponential(a * natural_logarithm(x) - x - log_gamma(a));
}

/// Mean rates of four classes of the same probability of a gamma distribution of mean 1.
std::array<double, rates> class_means(double shape) {
  std::array<double, rates> means{};
  double below = 0;
  for (int k = 0; k < rates; ++k) {
    double up_to = 1;
    if (k + 1 < rates) {
      double low = 0, high = 700; // of shape * quantile; bisected to the last bit
      for (int step = 0; step < 200; ++step) {
        const double middle = (low + high) / 2;
        (incomplete_gamma(shape, middle) * rates < k + 1 ? low : high) = middle;
      }
      up_to = incomplete_gamma(shape + 1, low);
    }
    means[static_cast<std::size_t>(k)] = rates * (up_to - below);
    below = up_to;
  }
  return means;
}

} // namespace

Model::Model(const ModelParameters& parameters) : frequencies_(parameters.frequencies) {
  const auto positive = [](double x) { return x > 0; };
  if (!std::all_of(parameters.exchange.begin(), parameters.exchange.end(), positive) ||
      !std::all_of(frequencies_.begin(), frequencies_.end(), positive) || !positive(parameters.shape))
    throw std::invalid_argument("exchange rates, frequencies and shape of a model are above 0");
  Matrix q{};
  std::size_t pair = 0;
  for (std::size_t i = 0; i < states; ++i)
    for (std::size_t j = i + 1; j < states; ++j, ++pair) {
      q[i][j] = parameters.exchange[pair] * frequencies_[j];
      q[j][i] = parameters.exchange[pair] * frequencies_[i];
    }
  double changes = 0;
  for (std::size_t i = 0; i < states; ++i) {
    q[i][i] = 0;
    for (std::size_t j = 0; j < states; ++j)
      if (j != i) q[i][i] -= q[i][j];
    changes -= frequencies_[i] * q[i][i];
  }
  // Similar to a symmetric matrix, by the square roots of the frequencies.
  Matrix symmetric{}, vectors{};
  for (std::size_t i = 0; i < states; ++i)
    for (std::size_t j = 0; j < states; ++j)
      symmetric[i][j] = q[i][j] / changes * std::sqrt(frequencies_[i] / frequencies_[j]);
  for (std::size_t i = 0; i < states; ++i)
    for (std::size_t j = i + 1; j < states; ++j)
      symmetric[i][j] = symmetric[j][i] = (symmetric[i][j] + symmetric[j][i]) / 2;
  diagonalise(symmetric, vectors);
  for (std::size_t k = 0; k < states; ++k) {
    values_[k] = std::min(0.0, symmetric[k][k]); // one is 0, but for rounding
    for (std::size_t i = 0; i < states; ++i) {
      right_[i][k] = vectors[i][k] / std::sqrt(frequencies_[i]);
      left_[k][i] = vectors[i][k] * std::sqrt(frequencies_[i]);
    }
  }
  rate_ = class_means(parameters.shape);
}

Transition Model::transition(double time) const {
  Transition result;
  for (std::size_t r = 0; r < rates; ++r) {
    Vector power;
    for (std::size_t k = 0; k < states; ++k) power[k] = exponential(values_[k] * rate_[r] * time);
    for (std::size_t i = 0; i < states; ++i)
      for (std::size_t j = 0; j < states; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < states; ++k) sum += right_[i][k] * power[k] * left_[k][j];
        result[r][i][j] = std::max(0.0, sum);
      }
  }
  return result;
}

} // namespace rccebench::likelihood
