// SPDX-License-Identifier: Apache-2.0
// Charts are drawn by gnuplot, a program of its own.
#pragma once

#include <string>

#include "plot/chart.hpp"

namespace rccebench::plot {

/// The script for gnuplot; `file` ends with .svg, .png or .pdf. The same text for the same chart and file.
[[nodiscard]] std::string script_of(const Chart& chart, const std::string& file);
/// The picture that gnuplot makes of a script. Throws UserError where there is no gnuplot, std::runtime_error
/// where it fails.
[[nodiscard]] std::string drawn(const std::string& script);

} // namespace rccebench::plot
