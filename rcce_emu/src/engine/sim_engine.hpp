// SPDX-License-Identifier: Apache-2.0
// The simulation engine: every core is a fiber with a clock of its own on a simulated machine, in one host
// thread.
#pragma once

#include <memory>

#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/observe/intervention.hpp"
#include "mesh_sim/observe/observer.hpp"
#include "rcce_emu/engine.hpp"

namespace rcce {

struct SimOptions {
  mesh::MachineDescription machine;
  std::size_t stack_bytes = std::size_t{16} << 20;
  std::size_t shared_memory_bytes = std::size_t{64} << 20;
  mesh::Intervention* intervention = nullptr; ///< outlives the run
  const mesh::Observers* observers = nullptr; ///< outlive the run
};

inline constexpr Capabilities sim_capabilities{
    .repeatable = true, .contended = true, .one_address_space = true};

/// Throws UserError for a machine that lacks what RCCE needs, message-passing buffers and registers;
/// std::bad_alloc when the address space for stacks, buffers or shared memory cannot be had.
[[nodiscard]] std::unique_ptr<Engine> make_sim_engine(const SimOptions& options);

} // namespace rcce
