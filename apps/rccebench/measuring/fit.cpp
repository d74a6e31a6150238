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
/// Of the mean error beside the median, which alone can be made small by any half of the rows: of few rows
/// with noise it finds other parameters than those of the machine.
constexpr double mean_share = 1;

/// The error that is made least, by factors of the starts; each set of values is measured once.
class Objective {
 public:
  explicit Objective(const FitPlan& plan) : plan_(plan) {}

  [[nodiscard]] std::vector<double> values(const std::vector<double>& factors) const {
    std::vector<double> all;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const FitParameter& one = plan_.parameters[i];
      all.push_back(std::clamp(one.start * factors[i], one.least, one.most));
    }
    return all;
  }
  [[nodiscard]] double operator()(const std::vector<double>& factors) {
    const auto key = values(factors);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    std::vector<double> errors = plan_.errors(key);
    double sum = 0;
    for (const double error : errors) sum += std::abs(error);
    const double size = median_size(errors) + mean_share * sum / static_cast<double>(errors.size());
    return known_[key] = size;
  }
  [[nodiscard]] int evaluations() const { return static_cast<int>(known_.size()); }

 private:
  const FitPlan& plan_;
  std::map<std::vector<double>, double> known_;
};

#ifdef ROCKCREEK_HAS_NLOPT
struct Search {
  Objective& objective;
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

std::vector<double> search_from(Objective& objective, std::vector<double> logarithms, int evaluations) {
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
std::vector<double> search_from(Objective&, std::vector<double>, int) {
  throw mesh::UserError(
      "calibrate: this build has no optimiser; install NLopt (Debian package libnlopt-dev) and "
      "build again");
}
#endif

/// The first of some factors at which the error is clearly larger: by a tenth, and at least by a hundredth of
/// what was measured.
Flatness flatness_of(Objective& objective, std::vector<double> factors, std::size_t which, double least) {
  const double limit = std::max(least * 1.1, least + 0.01), best = factors[which];
  const auto crossing = [&](bool up) {
    for (const double step : {1.02, 1.05, 1.1, 1.25, 1.5, 2.0}) {
      factors[which] = up ? best * step : best / step;
      if (objective(factors) > limit) return up ? step : 1 / step;
    }
    return 0.0;
  };
  return {crossing(false), crossing(true)};
}

} // namespace

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
    const auto found = search_from(objective, from, plan.evaluations);
    if (objective(found) < least) least = objective(found), best = found;
  }
  FitResult result;
  result.values = objective.values(best);
  result.median = median_size(plan.errors(result.values));
  for (std::size_t i = 0; i < count; ++i) result.flatness.push_back(flatness_of(objective, best, i, least));
  result.evaluations = objective.evaluations();
  return result;
}

} // namespace rccebench
