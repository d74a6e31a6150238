// SPDX-License-Identifier: Apache-2.0
// Parameters of a machine that make its rows like measured ones: the least sum of median and mean relative
// error, found without gradients by NLopt's SBPLX (S. G. Johnson's Subplex; MIT licence).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rccebench {

/// A parameter to be fitted: positive, varied as a factor of its value at the start.
struct FitParameter {
  std::string name; ///< "cache.plain_store_l2_cycles"; "load.modified[1]": one place of a list
  std::string unit;
  double start = 0;
  double least = 0, most = 0; ///< as the machine's declarations allow
  bool whole = false;         ///< a whole number
};

struct FitPlan {
  std::vector<FitParameter> parameters;
  /// Relative errors of the fitted rows, model / measured - 1, with these values.
  std::function<std::vector<double>(const std::vector<double>& values)> errors;
  int starts = 2; ///< the first one as given, further ones drawn up to a factor of 2 away
  std::uint64_t seed = 1;
  int evaluations = 150; ///< at most, of each start
};

/// The uncertainty of one parameter: bounds of its fits to rows drawn anew, as factors of the fitted value.
/// 19 of 20 draws lie between them.
struct Uncertainty {
  double low = 0, high = 0;
  [[nodiscard]] bool determined() const { return low >= 1 / 1.05 && high <= 1.05; }
};

struct FitResult {
  std::vector<double> values;
  double median = 0; ///< median of absolute relative errors
  int evaluations = 0;
  std::vector<Uncertainty> uncertainties; ///< by parameter
};

/// The end of what is searched, a tenth to ten times the start within what the machine allows, on which a
/// value sits to 1 %.
[[nodiscard]] std::optional<double> bound_at(const FitParameter& parameter, double value);

/// True if this build has the optimiser.
[[nodiscard]] bool can_fit() noexcept;
/// Throws mesh::UserError where it has not, and for parameters that are not above 0. The same for the same
/// plan, on every host.
[[nodiscard]] FitResult fit(const FitPlan& plan);

} // namespace rccebench
