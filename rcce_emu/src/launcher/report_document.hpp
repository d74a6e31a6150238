// SPDX-License-Identifier: Apache-2.0
// What the HTML report of a run says, as JSON: schema rockcreek-report (rcce_emu/report/README.md).
#pragma once

#include <string>

#include "launcher/options.hpp"

namespace rcce {

/// "PROGRAM on N cores".
[[nodiscard]] std::string report_title(const LaunchOptions& options);
/// `command`: what the run was started by. `options` have asked for the figures that `result` has.
[[nodiscard]] std::string report_document(const LaunchOptions& options, const JobResult& result,
                                          const std::string& command);

} // namespace rcce
