// SPDX-License-Identifier: Apache-2.0
// What RCCE needs of a machine, and what is said of one that lacks it, on every engine.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/machines.hpp"

namespace rcce {

inline constexpr const char* message_buffers = "message-passing buffers";
inline constexpr const char* registers_of_cores = "test-and-set registers";

[[nodiscard]] inline mesh::UserError lacking(const mesh::MachineDescription& machine, const char* what) {
  return mesh::UserError(fmt::format("machine '{}', of kind {}, has no {}, which RCCE programs need; choose "
                                     "--machine {}",
                                     machine.name(), machine.kind().name, what,
                                     fmt::join(mesh::machines_with_buffers(), " or ")));
}

} // namespace rcce
