// SPDX-License-Identifier: Apache-2.0
// The statements of the Xeon Phi publication, by number, beside the simulated machine.
#pragma once

#include <vector>

#include "mesh_sim/machines/coherent/config.hpp"
#include "reproduce/claims.hpp"

namespace rccebench::xeon_phi {

using Claims = std::vector<reproduce::Claim>;

/// Statements 1 to 9: lines between two cores, contention, pairs.
void add_point_claims(const mesh::coherent::Config& config, Claims& claims);
/// Statements 10 to 12 and 15 to 19: collectives. The figures are those of add_bound_claims.
[[nodiscard]] std::vector<reproduce::Figure> add_collective_claims(const mesh::coherent::Config& config,
                                                                   unsigned jobs, Claims& claims);
class Times;
/// Statement 17. The figures: simulated times beside both bounds of the model, and beside each of its terms.
[[nodiscard]] std::vector<reproduce::Figure> add_bound_claims(const Times& times, Claims& claims);

} // namespace rccebench::xeon_phi
