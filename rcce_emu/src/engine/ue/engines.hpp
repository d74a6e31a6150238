// SPDX-License-Identifier: Apache-2.0
// The engines by name: what each can do, and how one is made.
#pragma once

#include <memory>

#include "engine/mpi/engine.hpp"
#include "engine/sim_engine.hpp"
#include "engine/thread_engine.hpp"
#include "rcce_emu/engine.hpp"
#include "rcce_emu/job_options.hpp"

namespace rcce {

/// The capabilities of the engine that the options ask for.
[[nodiscard]] inline Capabilities capabilities_of(const JobOptions& options) {
  if (options.engine.kind == EngineKind::sim) return sim_capabilities;
  if (options.engine.kind == EngineKind::mpi) return mpi_capabilities(options.engine.time);
  return thread_capabilities(options.engine.time);
}

/// `cores`: one per UE. `intervention`: null, or for an engine that is repeatable. `observers` outlive the
/// run. Throws std::bad_alloc when the address space for stacks, buffers or shared memory cannot be had.
[[nodiscard]] std::unique_ptr<Engine> make_engine(const mesh::MachineDescription& machine,
                                                  const EngineOptions& options, const std::vector<int>& cores,
                                                  mesh::Intervention* intervention,
                                                  const mesh::Observers* observers);

} // namespace rcce
