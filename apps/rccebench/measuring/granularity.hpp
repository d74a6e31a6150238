// SPDX-License-Identifier: Apache-2.0
// How far results that the simulator takes block by block lie from those of its exact form.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab.hpp"

namespace rccebench {

/// The same machine with granularity exact.
[[nodiscard]] Machine exact_form(const Machine& machine);

/// Differences of results to those of the exact form, in percent of these.
class ExactDifference {
 public:
  void add(const std::string& name, double result, double exact);
  /// "# difference to granularity exact: ..."
  [[nodiscard]] std::string note() const;
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  [[nodiscard]] double median() const;

  std::vector<double> percent_; ///< absolute
  double worst_ = 0;
  std::string worst_name_ = "-";
};

} // namespace rccebench
