// SPDX-License-Identifier: Apache-2.0
// The options of a job that say where the UEs' output goes (job_options.hpp has all).
#pragma once

#include <functional>
#include <string_view>

namespace rcce {

/// Destination and form of the UEs' output.
struct OutputOptions {
  bool tag = false; ///< prefix each line with "[rank] "
  /// Receives whole lines in simulated-time order; fd is 1 or 2. Empty: the process's own descriptors.
  std::function<void(int fd, std::string_view text)> sink;
};

} // namespace rcce
