// SPDX-License-Identifier: Apache-2.0
// The MPI engine: every UE is a process of an MPI job, this one runs one of them. Time is the host's, or, on
// request, simulated as on the threads engine.
#pragma once

#include <memory>
#include <vector>

#include "engine/mpi/outside.hpp"
#include "rcce_emu/engine.hpp"

namespace mesh {
class MachineDescription;
}

namespace rcce {

[[nodiscard]] constexpr Capabilities mpi_capabilities(TimeSource time) {
  return {.concurrent = true, .wall_clock = time == TimeSource::wall};
}

/// Throws UserError where the runtime was built without MPI, before any process is started.
void check_mpi();

/// `cores`: one per UE; `outside`: around MPI in the context of a UE. Starts MPI, together with all other
/// processes of the job. Throws UserError for a machine that is not of
/// kind scc, for another number of processes than UEs, and where the runtime was built without MPI;
/// std::bad_alloc when memory cannot be had.
[[nodiscard]] std::unique_ptr<Engine> make_mpi_engine(const mesh::MachineDescription& machine,
                                                      const EngineOptions& options,
                                                      const std::vector<int>& cores,
                                                      const mpi::StepOutside& outside);

} // namespace rcce
