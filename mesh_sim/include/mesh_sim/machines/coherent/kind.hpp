// SPDX-License-Identifier: Apache-2.0
// Machines with coherent caches in the table of machine kinds (machines.hpp).
#pragma once

#include <memory>

#include "mesh_sim/machines/coherent/config.hpp"
#include "mesh_sim/machines/machines.hpp"

namespace mesh {

[[nodiscard]] MachineKind coherent_kind();

/// The parameters of such a machine, complete, under the machine's name; null for a machine of another kind.
[[nodiscard]] std::unique_ptr<coherent::Config> coherent_config(const MachineDescription& machine);

} // namespace mesh
