// SPDX-License-Identifier: Apache-2.0
// Units of measurements: what a value in one is in another.
#pragma once

#include <string>
#include <string_view>

namespace rccebench {

/// The unit of a row, and the values that its conversions need.
struct MeasuredUnit {
  std::string_view unit; ///< that the model gives it in: "us", "MiB/s", "us/line"
  double bytes = 0;      ///< moved in the time; 0: none, so that it has no bandwidth
  double mhz = 0;        ///< clock of the cores; 0: none, so it has no cycles
};

/// `value`, which is in `unit`, in the unit of what is measured; of an empty unit as it is. Throws
/// mesh::UserError, with the units that are allowed.
[[nodiscard]] double in_unit_of(const MeasuredUnit& measured, double value, std::string_view unit);

/// True if both are times, or both bandwidths.
[[nodiscard]] bool same_kind(std::string_view unit, std::string_view other);

} // namespace rccebench
