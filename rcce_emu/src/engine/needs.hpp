// SPDX-License-Identifier: Apache-2.0
// What RCCE needs of a machine, and what is said of one that lacks it, on every engine.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/machines/machines.hpp"

namespace rcce {

/// Throws UserError where the machine lacks a capability that RCCE stands on.
inline void check_needs(const mesh::MachineDescription& machine) {
  for (const auto needed : {mesh::Capability::message_buffers, mesh::Capability::registers})
    if (!machine.offers(needed))
      throw mesh::UserError(fmt::format("machine '{}', of kind {}, has no {}, which RCCE programs need; "
                                        "choose --machine {}",
                                        machine.name(), machine.kind().name, name(needed),
                                        fmt::join(mesh::machines_with(needed), " or ")));
}

} // namespace rcce
