// SPDX-License-Identifier: Apache-2.0
// The threads engine: every core is an operating-system thread. Time is the host's, or, on request, a
// simulated time that each core keeps for itself and that travels with what it writes: a program without
// races then reports the times of the simulation engine without contention, whatever order the host runs the
// threads in.
#pragma once

#include <memory>

#include "rcce_emu/engine.hpp"

namespace mesh {
class MachineDescription;
}

namespace rcce {

[[nodiscard]] constexpr Capabilities thread_capabilities(TimeSource time) {
  return {.one_address_space = true, .concurrent = true, .wall_clock = time == TimeSource::wall};
}

/// Throws UserError for a machine that is not of kind scc; std::bad_alloc when the address space for stacks,
/// buffers or shared memory cannot be had.
[[nodiscard]] std::unique_ptr<Engine> make_thread_engine(const mesh::MachineDescription& machine,
                                                         const EngineOptions& options);

} // namespace rcce
