// SPDX-License-Identifier: Apache-2.0
// The options of a job that disturb its run and compare it with others, for `--explore` and `--replay`
// (job_options.hpp has all).
#pragma once

#include <cstdint>
#include <vector>

#include "mesh_sim/kernel/hold.hpp"
#include "mesh_sim/units.hpp"

namespace rcce {

using mesh::Picoseconds;

/// Changes a run into another that the chip could have made: cores are delayed, by a seed or until another
/// core has acted.
struct Perturbation {
  std::uint64_t seed = 0;         ///< 0: no delays
  std::vector<mesh::Hold> orders; ///< single accesses that must wait for others
};

/// The record that a run makes for the comparison with other runs of the same program.
struct ExploredRun {
  int fd = -1;                     ///< file that receives the record; -1: none
  bool accesses = false;           ///< with every access to shared state
  std::uint64_t most_accesses = 0; ///< a run with more accesses is ended; 0: no limit
  Picoseconds most_idle =
      0; ///< a longer wait on plain memory, while no UE accesses anything, ends the run; 0: no limit
};

/// How a run is disturbed, and what it records, for `--explore` and `--replay`.
struct InterferenceOptions {
  Perturbation perturbation; ///< sim engine only
  ExploredRun explored;
};

} // namespace rcce
