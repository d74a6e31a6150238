// SPDX-License-Identifier: Apache-2.0
#include "measuring/fit.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>

#include <fmt/format.h>

#include "lab/random.hpp"
#include "measuring/measured_rows.hpp"
#include "mesh_sim/errors.hpp"
#ifdef ROCKCREEK_HAS_NLOPT
#include <nlopt.h>
#endif

namespace rccebench {
namespace {

/// Farther than this from the start no value is tried.
constexpr double widest = 10;
/// The least value that is tried, a whole one where the parameter has no others.
double lowest(const FitParameter& one) {
  const double low = one.start / widest;
  return std::max(one.least, one.whole ? std::max(std::round(low), 1.0) : low);
}
/// Weight of the mean error beside the median. Any half of the rows can make the median small alone: of few
/// rows with noise it finds other parameters than those of the machine.
constexpr double mean_share = 1;

/// The size of the errors of rows, which the fit minimises.
double size_of(const std::vector<double>& errors) {
  double sum = 0;
  for (const double error : errors) sum += std::abs(error);
  return median_size(errors) + mean_share * sum / static_cast<double>(errors.size());
}

/// The error that is made least, by factors of the starts; each set of values is measured once.
class Objective {
 public:
  explicit Objective(const FitPlan& plan) : plan_(plan) {}

  [[nodiscard]] std::vector<double> values(const std::vector<double>& factors) const {
    std::vector<double> all;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const FitParameter& one = plan_.parameters[i];
      const double value = one.start * factors[i];
      all.push_back(std::clamp(one.whole ? std::round(value) : value, one.least, one.most));
    }
    return all;
  }
  [[nodiscard]] double operator()(const std::vector<double>& factors) {
    const auto key = values(factors);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    return known_[key] = size_of(plan_.errors(key));
  }
  [[nodiscard]] int evaluations() const { return static_cast<int>(known_.size()); }

 private:
  const FitPlan& plan_;
  std::map<std::vector<double>, double> known_;
};

/// The function of factors that a search minimises.
using Function = std::function<double(const std::vector<double>&)>;

#ifdef ROCKCREEK_HAS_NLOPT
struct Search {
  const Function& objective;
  std::exception_ptr failure = {};
};

std::vector<double> factors_of(unsigned count, const double* logarithms) {
  std::vector<double> factors;
  for (unsigned i = 0; i < count; ++i) factors.push_back(lab::exponential(logarithms[i]));
  return factors;
}

double evaluate(unsigned count, const double* logarithms, double*, void* data) {
  Search& search = *static_cast<Search*>(data);
  if (search.failure) return HUGE_VAL;
  try {
    return search.objective(factors_of(count, logarithms));
  } catch (...) { // C lies between
    search.failure = std::current_exception();
    return HUGE_VAL;
  }
}

std::vector<double> search_from(const Function& objective, std::vector<double> logarithms, int evaluations) {
  const auto count = static_cast<unsigned>(logarithms.size());
  const double bound = lab::natural_logarithm(widest);
  Search search{objective};
  nlopt_opt optimiser = nlopt_create(NLOPT_LN_SBPLX, count);
  nlopt_set_min_objective(optimiser, evaluate, &search);
  nlopt_set_lower_bounds1(optimiser, -bound);
  nlopt_set_upper_bounds1(optimiser, bound);
  nlopt_set_initial_step1(optimiser, 0.25);
  nlopt_set_xtol_abs1(optimiser, 1e-3);
  nlopt_set_ftol_abs(optimiser, 1e-6);
  nlopt_set_maxeval(optimiser, evaluations);
  double least = 0;
  nlopt_optimize(optimiser, logarithms.data(), &least);
  nlopt_destroy(optimiser);
  if (search.failure) std::rethrow_exception(search.failure);
  return factors_of(count, logarithms.data());
}
#else
std::vector<double> search_from(const Function&, std::vector<double>, int) {
  throw mesh::UserError(
      "calibrate: this build has no optimiser; install NLopt (Debian package libnlopt-dev) and "
      "build again");
}
#endif

/// By how much each row's error grows with the logarithm of each parameter, near the best values.
std::vector<std::vector<double>> slopes_at(const FitPlan& plan, const std::vector<double>& best) {
  constexpr double step = 1.05;
  std::vector<std::vector<double>> slopes;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const FitParameter& one = plan.parameters[i];
    const auto beside = [&](bool up) {
      double value = up ? best[i] * step : best[i] / step;
      if (one.whole) value = up ? std::ceil(value) : std::floor(value);
      std::vector<double> values = best;
      values[i] = std::clamp(value, lowest(one), one.most);
      return values;
    };
    const auto below = beside(false), above = beside(true);
    const auto low = plan.errors(below);
    std::vector<double> slope = plan.errors(above);
    const double apart = lab::natural_logarithm(above[i] / below[i]);
    for (std::size_t row = 0; row < slope.size(); ++row)
      slope[row] = apart > 0 ? (slope[row] - low[row]) / apart : 0;
    slopes.push_back(std::move(slope));
  }
  return slopes;
}

/// True if changes of the other parameters make up for one of that parameter in every row, so that any value
/// of it fits as well. Draws begin near the best values and do not show how far that goes.
bool is_dependent(const std::vector<std::vector<double>>& slopes, std::size_t parameter) {
  constexpr double nothing = 1e-3; // of a slope's length
  const auto product = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  std::vector<std::vector<double>> basis; // of the others' slopes, by Gram and Schmidt
  const auto rest_of = [&](std::vector<double> slope) {
    for (const auto& one : basis) {
      const double share = product(slope, one);
      for (std::size_t i = 0; i < slope.size(); ++i) slope[i] -= share * one[i];
    }
    return slope;
  };
  const auto is_new = [&](const std::vector<double>& rest, const std::vector<double>& slope) {
    return product(rest, rest) > nothing * nothing * product(slope, slope);
  };
  for (std::size_t other = 0; other < slopes.size(); ++other) {
    if (other == parameter) continue;
    std::vector<double> rest = rest_of(slopes[other]);
    if (!is_new(rest, slopes[other])) continue;
    const double length = std::sqrt(product(rest, rest));
    for (double& one : rest) one /= length;
    basis.push_back(std::move(rest));
  }
  return !is_new(rest_of(slopes[parameter]), slopes[parameter]);
}

/// A bootstrap: rows are drawn anew with repetition, and fitted by their slopes from a drawn start. What
/// noise, dependent parameters and parameters without effect leave open differs from draw to draw. Draws of
/// few rows differ less than measurements made again would, by the factor that the variance has, too.
std::vector<Uncertainty> uncertainties_at(const FitPlan& plan, const std::vector<double>& best) {
  constexpr std::size_t draws = 199, outside = 4; // 19 of 20 lie between the fifth from both ends
  constexpr double farthest = 0.25;               // a start, as a logarithm
  const std::vector<double> errors = plan.errors(best);
  const auto slopes = slopes_at(plan, best);
  const std::size_t rows = errors.size(), count = best.size();
  if (rows <= count) return std::vector<Uncertainty>(count, Uncertainty{1 / widest, widest});
  const double few = std::sqrt(static_cast<double>(rows) / static_cast<double>(rows - count));
  std::vector<std::vector<double>> logarithms(count); // of the factors found
  for (std::size_t draw = 0; draw < draws; ++draw) {
    lab::Random random(plan.seed, draw, 1);
    std::vector<std::size_t> drawn(rows);
    for (std::size_t& row : drawn)
      row = static_cast<std::size_t>(random.uniform() * static_cast<double>(rows));
    std::vector<double> from(count);
    for (double& one : from) one = (2 * random.uniform() - 1) * farthest;
    const auto size = [&](const std::vector<double>& factors) {
      std::vector<double> moved;
      for (const std::size_t row : drawn) {
        double error = errors[row];
        for (std::size_t i = 0; i < count; ++i) error += slopes[i][row] * lab::natural_logarithm(factors[i]);
        moved.push_back(error);
      }
      return size_of(moved);
    };
    const auto found = search_from(size, from, 200 * static_cast<int>(count));
    for (std::size_t i = 0; i < count; ++i) logarithms[i].push_back(lab::natural_logarithm(found[i]));
  }
  std::vector<Uncertainty> uncertainties;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double>& of_one = logarithms[i];
    if (is_dependent(slopes, i)) {
      uncertainties.push_back({1 / widest, widest});
      continue;
    }
    std::ranges::sort(of_one);
    uncertainties.push_back({lab::exponential(few * std::min(of_one[outside], 0.0)),
                             lab::exponential(few * std::max(of_one[draws - 1 - outside], 0.0))});
  }
  return uncertainties;
}

} // namespace

std::optional<double> bound_at(const FitParameter& parameter, double value) {
  constexpr double as_good_as = 1.01;
  const double low = lowest(parameter), high = std::min(parameter.most, parameter.start * widest);
  if (value >= high / as_good_as) return high;
  if (value <= low * as_good_as) return low;
  return std::nullopt;
}

bool can_fit() noexcept {
#ifdef ROCKCREEK_HAS_NLOPT
  return true;
#else
  return false;
#endif
}

FitResult fit(const FitPlan& plan) {
  for (const FitParameter& one : plan.parameters)
    if (!(one.start > 0))
      throw mesh::UserError(
          fmt::format("--fit {}: it begins with {}; only what is above 0 can be fitted: --set "
                      "{}=VALUE gives another start",
                      one.name, one.start, one.name));
  Objective objective(plan);
  const std::size_t count = plan.parameters.size();
  std::vector<double> best(count, 1.0);
  double least = objective(best);
  for (int start = 0; start < plan.starts; ++start) {
    std::vector<double> from(count, 0.0);
    lab::Random random(plan.seed, static_cast<std::uint64_t>(start), 0);
    for (double& one : from)
      if (start > 0) one = (2 * random.uniform() - 1) * lab::natural_logarithm(2);
    const auto found = search_from(std::ref(objective), from, plan.evaluations);
    if (objective(found) < least) least = objective(found), best = found;
  }
  FitResult result;
  result.values = objective.values(best);
  result.median = median_size(plan.errors(result.values));
  result.uncertainties = uncertainties_at(plan, result.values);
  result.evaluations = objective.evaluations();
  return result;
}

} // namespace rccebench
