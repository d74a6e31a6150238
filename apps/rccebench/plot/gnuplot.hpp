// SPDX-License-Identifier: Apache-2.0
// Charts are drawn by gnuplot, a program of its own.
#pragma once

#include <string>

#include "plot/chart.hpp"

namespace rccebench::plot {

/// What gnuplot is told; `file` ends with .svg, .png or .pdf. The same text for the same chart and file.
[[nodiscard]] std::string script_of(const Chart& chart, const std::string& file);

/// Runs gnuplot. Throws mesh::UserError where there is none, with how to get it, and std::runtime_error where
/// it fails.
void draw(const std::string& script);

} // namespace rccebench::plot
