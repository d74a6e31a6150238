// SPDX-License-Identifier: Apache-2.0
// What a report shows of one run: the die with its load over time, what cores do with their time, who sends
// to whom, a timeline where the run is small. As JSON, of the figures' part of schema rockcreek-report.
#pragma once

#include <span>
#include <string>

#include "mesh_sim/observe/load.hpp"
#include "mesh_sim/observe/lock_usage.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/observe/path_tree.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/observe/timeline.hpp"
#include "rcce_emu/job_result.hpp"

namespace rcce::record {

/// Slices of a timeline that a report shows: more than eyes can take in, and a page of any run stays small.
inline constexpr std::size_t most_slices = 6000;
/// Bins of a load for so many cores and tiles: fewer where the mesh is large.
[[nodiscard]] std::size_t load_bins(const mesh::Topology& topology) noexcept;

struct RunData {
  const mesh::Topology& topology;
  const mesh::Load& load;
  const mesh::Timeline& timeline;
  const mesh::Statistics &links, &matrix;  ///< as JobResult has them
  std::span<const std::string> call_names; ///< by number
  std::span<const UeResult> ues;           ///< by rank
  Picoseconds end;                         ///< end of the run
  bool contended = true;                   ///< links, buffers and controllers are simulated
  bool own_code = true;                    ///< code between calls takes simulated time
  std::span<const UnfinishedUe> unfinished;
  std::span<const UnfinishedMessage> open_messages;
  std::span<const mesh::AccessTimes> times;     ///< by core; empty: not counted, of a part of a run
  std::span<const mesh::LockUsage::Lock> locks; ///< the longest held first
  std::span<const mesh::PathTree::Stay> path;   ///< the critical path, core by core
};

/// An array of figures.
[[nodiscard]] std::string run_figures(const RunData& run);

} // namespace rcce::record
