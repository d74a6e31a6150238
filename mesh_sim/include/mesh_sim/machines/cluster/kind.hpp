// SPDX-License-Identifier: Apache-2.0
// Clusters in the table of machine kinds (machines.hpp).
#pragma once

#include <memory>

#include "mesh_sim/machines/cluster/config.hpp"
#include "mesh_sim/machines/machines.hpp"

namespace mesh {

[[nodiscard]] MachineKind cluster_kind();

/// The parameters of a cluster, complete, under the machine's name; null for a machine of another kind.
[[nodiscard]] std::unique_ptr<cluster::Config> cluster_config(const MachineDescription& machine);

} // namespace mesh
