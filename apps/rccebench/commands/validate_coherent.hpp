// SPDX-License-Identifier: Apache-2.0
// rccebench validate --machine NAME for machines with coherent caches.
#pragma once

#include <optional>

#include "mesh_sim/machines/machines.hpp"
#include "present/report.hpp"

namespace rccebench {

struct CoherentValidation {
  Report report;
  bool checked = false; ///< some row has a tolerance
  bool within = true;   ///< every row that has a tolerance is within it
};

/// The model beside every published row of the preset that the machine was made from; nothing for a machine
/// of another kind.
[[nodiscard]] std::optional<CoherentValidation> validate_coherent(const mesh::MachineDescription& machine);

} // namespace rccebench
