// SPDX-License-Identifier: Apache-2.0
// Collectives of this host's own threads, in wall-clock time: the algorithms of shared memory, and what else
// is at hand: std::barrier, OpenMP's and oneTBB's own where this was built with them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace rccebench {

struct HostPoint {
  std::string algorithm; ///< "barrier/dissemination", "reduce/openmp"
  int threads = 2;
  std::int64_t bytes = 0; ///< of a broadcast, or of a reduction of doubles
};

/// Of one operation, over several series of it.
struct HostTiming {
  double us = 0;                     ///< median
  double lower_us = 0, upper_us = 0; ///< quartiles
  bool right = true;
};

/// Processors that this process may use.
[[nodiscard]] int host_processors();

/// Names for that operation (bcast, reduce, barrier), ours first. A reduction is timed with the region around
/// it.
[[nodiscard]] std::vector<std::string> host_algorithms(const std::string& operation);

/// Timings of points that are to be compared, in their order: their series take turns, so that what else the
/// host does meets all of them alike. Nothing else should run meanwhile. Fewer where `goes_on` has said no.
[[nodiscard]] std::vector<HostTiming> measure(std::span<const HostPoint> points,
                                              const std::function<bool()>& goes_on);

} // namespace rccebench
