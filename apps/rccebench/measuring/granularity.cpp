// SPDX-License-Identifier: Apache-2.0
#include "measuring/granularity.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rccebench {

Machine exact_form(const Machine& machine) {
  Machine exact = machine;
  exact.config.set("mesh.granularity", "exact");
  return exact;
}

void ExactDifference::add(const std::string& name, double result, double exact) {
  const double percent = exact == 0 ? 0 : std::abs(result / exact - 1) * 100;
  percent_.push_back(percent);
  if (percent > worst_) worst_ = percent, worst_name_ = name;
}

double ExactDifference::median() const {
  if (percent_.empty()) return 0;
  std::vector<double> sorted = percent_;
  std::sort(sorted.begin(), sorted.end());
  return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

std::string ExactDifference::note() const {
  return fmt::format("# difference to granularity exact, {} results: median {:.3f} %, worst {:.3f} % ({})",
                     percent_.size(), median(), worst_, worst_name_);
}

nlohmann::ordered_json ExactDifference::json() const {
  return {{"results", percent_.size()},
          {"median_abs_difference_percent", median()},
          {"worst_abs_difference_percent", worst_},
          {"worst", worst_name_}};
}

} // namespace rccebench
