// SPDX-License-Identifier: Apache-2.0
// Curves in one line of text each, below the tables that a terminal shows.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rccebench {

struct Sparklines {
  std::string over; ///< range along the lines: "sizes from 32 to 8192 bytes"
  std::string unit; ///< unit of the values
  /// Name and values. Values above 0 are drawn by their logarithm, between the least and the most of all
  /// lines; others are left blank.
  std::vector<std::pair<std::string, std::vector<double>>> lines;

  /// A comment line of what they are, then one for each, without a newline at the end; empty where there is
  /// nothing along them.
  [[nodiscard]] std::string text(bool utf8, bool colours) const;
};

} // namespace rccebench
