// SPDX-License-Identifier: Apache-2.0
// Collectives of this host's own threads, in wall-clock time: the algorithms of shared memory, and what else
// is at hand: std::barrier, OpenMP's and oneTBB's own where this was built with them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rccebench {

struct HostPoint {
  std::string algorithm; ///< "barrier/dissemination", "reduce/openmp"
  int threads = 2;
  std::int64_t bytes = 0; ///< of a broadcast, or of a reduction of doubles
};

struct HostTiming {
  double us = 0; ///< of one operation: the fastest of several series
  bool right = true;
};

/// Processors that this process may use.
[[nodiscard]] int host_processors();

/// Names for that operation (bcast, reduce, barrier), ours first. A reduction is timed with the region around
/// it.
[[nodiscard]] std::vector<std::string> host_algorithms(const std::string& operation);

/// Nothing else should run meanwhile.
[[nodiscard]] HostTiming measure(const HostPoint& point);

} // namespace rccebench
