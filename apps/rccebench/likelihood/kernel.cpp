// SPDX-License-Identifier: Apache-2.0
#include "likelihood/kernel.hpp"

#include <algorithm>

#include "lab.hpp"
#include "lab/random.hpp"

namespace rccebench::likelihood {

namespace {

constexpr double tiny = 0x1p-256, large = 0x1p256;
constexpr double log_of_large = 256 * 0.693147180559945309417232121458;

/// sum_j matrix[i][j] x[j] for each i.
Vector product(const Matrix& matrix, const double* x) {
  Vector result;
  for (std::size_t i = 0; i < states; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < states; ++j) sum += matrix[i][j] * x[j];
    result[i] = sum;
  }
  return result;
}

} // namespace

Kernel::Kernel(const Model& model, Tree tree, const Alignment& alignment)
    : model_(model), tree_(std::move(tree)), patterns_(alignment.sites), codes_(alignment.codes) {
  const auto inner = static_cast<std::size_t>(tree_.tips - 2), patterns = static_cast<std::size_t>(patterns_);
  vectors_.resize(inner * patterns * pattern_size);
  scaled_.resize(inner * patterns);
  coefficients_.resize(patterns * pattern_size);
  std::vector<int> order{tree_.children[0][0]};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const int child : tree_.children[static_cast<std::size_t>(order[i])])
      if (!tree_.is_tip(child)) order.push_back(child);
  below_.assign(order.rbegin(), order.rend());
}

const double* Kernel::known(int node, int pattern, double* room) const {
  if (!tree_.is_tip(node)) return const_cast<Kernel*>(this)->at(node, pattern);
  const std::uint8_t code = codes_[static_cast<std::size_t>(node)][static_cast<std::size_t>(pattern)];
  for (int i = 0; i < pattern_size; ++i) room[i] = (code >> (i % states) & 1) != 0 ? 1 : 0;
  return room;
}

int Kernel::scaled(int node, int pattern) const {
  if (tree_.is_tip(node)) return 0;
  return scaled_[static_cast<std::size_t>(node - tree_.tips) * static_cast<std::size_t>(patterns_) +
                 static_cast<std::size_t>(pattern)];
}

double Kernel::branch_of(View view, int neighbour) const {
  return length(tree_.parent[static_cast<std::size_t>(view.node)] == neighbour ? view.node : neighbour);
}

void Kernel::newview(View view, int thread, int threads) {
  if (thread >= patterns_) return; // none of its own
  const auto& children = tree_.children[static_cast<std::size_t>(view.node)];
  std::array<int, 2> from{};
  std::size_t found = 0;
  for (const int neighbour : {tree_.parent[static_cast<std::size_t>(view.node)], children[0], children[1]})
    if (neighbour != view.without) from[found++] = neighbour;
  const Transition a = model_.transition(branch_of(view, from[0])),
                   b = model_.transition(branch_of(view, from[1]));
  std::array<double, pattern_size> room_a{}, room_b{};
  for (int pattern = thread; pattern < patterns_; pattern += threads) {
    const double* const x = known(from[0], pattern, room_a.data());
    const double* const y = known(from[1], pattern, room_b.data());
    double* const result = at(view.node, pattern);
    double most = 0;
    for (std::size_t r = 0; r < rates; ++r) {
      const Vector p = product(a[r], x + r * states), q = product(b[r], y + r * states);
      for (std::size_t i = 0; i < states; ++i) most = std::max(most, result[r * states + i] = p[i] * q[i]);
    }
    int count = scaled(from[0], pattern) + scaled(from[1], pattern);
    if (most < tiny) {
      for (int i = 0; i < pattern_size; ++i) result[i] *= large;
      ++count;
    }
    scaled_[static_cast<std::size_t>(view.node - tree_.tips) * static_cast<std::size_t>(patterns_) +
            static_cast<std::size_t>(pattern)] = count;
  }
}

void Kernel::newview_all(int thread, int threads) {
  for (const int node : below_)
    newview({node, tree_.parent[static_cast<std::size_t>(node)]}, thread, threads);
}

double Kernel::evaluate(int node, int thread, int threads) const {
  if (thread >= patterns_) return 0;
  const int parent = tree_.parent[static_cast<std::size_t>(node)];
  const Transition p = model_.transition(length(node));
  std::array<double, pattern_size> room_a{}, room_b{};
  double sum = 0;
  for (int pattern = thread; pattern < patterns_; pattern += threads) {
    const double* const x = known(parent, pattern, room_a.data());
    const double* const y = known(node, pattern, room_b.data());
    double likelihood = 0;
    for (std::size_t r = 0; r < rates; ++r) {
      const Vector far = product(p[r], y + r * states);
      for (std::size_t i = 0; i < states; ++i)
        likelihood += model_.frequencies()[i] * x[r * states + i] * far[i];
    }
    sum += natural_logarithm(likelihood / rates) -
        log_of_large * (scaled(parent, pattern) + scaled(node, pattern));
  }
  return sum;
}

void Kernel::prepare_derivatives(int node, int thread, int threads) {
  const int parent = tree_.parent[static_cast<std::size_t>(node)];
  std::array<double, pattern_size> room_a{}, room_b{};
  for (int pattern = thread; pattern < patterns_; pattern += threads) {
    const double* const x = known(parent, pattern, room_a.data());
    const double* const y = known(node, pattern, room_b.data());
    double* const result = &coefficients_[static_cast<std::size_t>(pattern) * pattern_size];
    for (std::size_t r = 0; r < rates; ++r)
      for (std::size_t k = 0; k < states; ++k) {
        double near = 0, far = 0;
        for (std::size_t i = 0; i < states; ++i) {
          near += model_.frequencies()[i] * x[r * states + i] * model_.right()[i][k];
          far += model_.left()[k][i] * y[r * states + i];
        }
        result[r * states + k] = near * far;
      }
  }
}

std::array<double, 2> Kernel::derivatives(double length, int thread, int threads) const {
  if (thread >= patterns_) return {0, 0};
  std::array<double, pattern_size> exponent{}, power{};
  for (std::size_t r = 0; r < rates; ++r)
    for (std::size_t k = 0; k < states; ++k) {
      exponent[r * states + k] = model_.values()[k] * model_.rate()[r];
      power[r * states + k] = exponential(exponent[r * states + k] * length);
    }
  double first = 0, second = 0;
  for (int pattern = thread; pattern < patterns_; pattern += threads) {
    const double* const s = &coefficients_[static_cast<std::size_t>(pattern) * pattern_size];
    double f = 0, f1 = 0, f2 = 0;
    for (std::size_t i = 0; i < pattern_size; ++i) {
      const double term = s[i] * power[i], slope = term * exponent[i];
      f += term;
      f1 += slope;
      f2 += slope * exponent[i];
    }
    const double ratio = f1 / f;
    first += ratio;
    second += f2 / f - ratio * ratio;
  }
  return {first, second};
}

} // namespace rccebench::likelihood
