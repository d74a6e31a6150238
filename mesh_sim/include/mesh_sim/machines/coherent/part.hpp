// SPDX-License-Identifier: Apache-2.0
// What every part of a machine knows, and is a part by.
#pragma once

#include "mesh_sim/kernel/kernel.hpp"
#include "mesh_sim/machines/coherent/costs.hpp"
#include "mesh_sim/machines/coherent/memory.hpp"
#include "mesh_sim/machines/coherent/placement.hpp"
#include "mesh_sim/machines/coherent/probes.hpp"

namespace mesh::coherent {

struct Part {
  const Config& config_;
  const Costs& costs_;
  const Placement& placement_;
  Kernel& kernel_;
  ProbeSet& probes_;
  Memory& memory_;
};

} // namespace mesh::coherent
