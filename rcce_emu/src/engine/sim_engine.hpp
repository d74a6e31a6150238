// SPDX-License-Identifier: Apache-2.0
// The simulation engine: every core is a fiber with a clock of its own on a simulated machine, in one host
// thread.
#pragma once

#include <memory>

#include "rcce_emu/engine.hpp"

namespace mesh {
class Intervention;
class MachineDescription;
class Observers;
} // namespace mesh

namespace rcce {

inline constexpr Capabilities sim_capabilities{
    .repeatable = true, .contended = true, .one_address_space = true};

/// `intervention`, `observers`: null, or outlive the run.
/// Throws UserError for a machine that lacks what RCCE needs, message-passing buffers and registers;
/// std::bad_alloc when the address space for stacks, buffers or shared memory cannot be had.
[[nodiscard]] std::unique_ptr<Engine> make_sim_engine(const mesh::MachineDescription& machine,
                                                      const EngineOptions& options,
                                                      mesh::Intervention* intervention,
                                                      const mesh::Observers* observers);

} // namespace rcce
