// SPDX-License-Identifier: Apache-2.0
// The SCC in the table of machine kinds (machines.hpp).
#pragma once

#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/machines/scc/config.hpp"

namespace mesh {

[[nodiscard]] MachineKind scc_kind();

/// The SCC's parameters, checked, under the machine's name; null for a machine of another kind.
[[nodiscard]] std::unique_ptr<MachineConfig> scc_config(const MachineDescription& machine);

} // namespace mesh
