// SPDX-License-Identifier: Apache-2.0
// The ratios that the thesis' text states, simulated with its copy routines and with prefetching copies for
// all three.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report.hpp"
#include "thesis/plan.hpp"
#include "thesis/variant.hpp"

namespace rccebench::thesis {

struct Ratio {
  std::string name;  ///< "cube_to_dopl_small": time of the first over time of the second
  double stated = 0; ///< by the thesis' text
  std::optional<double> simulated, prefetching;

  /// How far apart stated and simulated are, 1 or more.
  [[nodiscard]] std::optional<double> factor() const;
};

class Ratios {
 public:
  Ratios(const Variant& variant, Plan& plan);
  [[nodiscard]] std::vector<Ratio> of(const Plan& plan) const;

 private:
  struct Places {
    std::vector<std::size_t> rcce, cube, dopl; ///< by size of the range
  };
  struct Sides {
    Places as_thesis, prefetching;
  };
  std::vector<Sides> ranges_; ///< small, medium, large
};

[[nodiscard]] Table view_of(const std::vector<Ratio>& ratios);
[[nodiscard]] nlohmann::ordered_json json_of(const std::vector<Ratio>& ratios);

/// How much of the cube's distance to DOPL goes away when all copy alike, in percent of its logarithm; for
/// one range.
[[nodiscard]] std::optional<double> share_of_copies(const Ratio& ratio);

/// "within a factor 1.3": the reach for these ratios.
inline constexpr double ratio_reach = 1.3;

} // namespace rccebench::thesis
